// Mouse, fingers and keys on a canvas. camera: rotate, pan, zoom, reset. The wheel zooms once the view has the focus (or with
// Ctrl): until then the page scrolls.
const STEP = 24; // pixels of a key

export function listen(canvas, camera, { hover, click }) {
  const fingers = new Map();
  let moved = 0;
  let pair = null; // [distance, x, y] of two fingers

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const measure = () => {
    const [a, b] = [...fingers.values()];
    return [Math.hypot(a[0] - b[0], a[1] - b[1]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const down = (event) => {
    canvas.focus({ preventScroll: true });
    capture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    moved = 0;
    pair = fingers.size === 2 ? measure() : null;
  };
  const capture = (pointer) => {
    try {
      canvas.setPointerCapture(pointer);
    } catch {
      // the pointer has gone already
    }
  };
  const move = (event) => {
    const now = place(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      hover(now[0], now[1]);
      return;
    }
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    fingers.set(event.pointerId, now);
    moved += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) pinch();
    else if (fingers.size === 1 && moved > 3) (event.buttons & 6 || event.shiftKey ? camera.pan(dx, dy) : camera.rotate(dx, dy));
  };
  const pinch = () => {
    const next = measure();
    if (pair && pair[0] > 0) {
      camera.zoom(next[0] / pair[0], next[1], next[2]);
      camera.pan(next[1] - pair[1], next[2] - pair[2]);
    }
    pair = next;
  };
  const up = (event) => {
    if (fingers.delete(event.pointerId) && moved <= 3 && event.type === 'pointerup') click(...place(event));
    pair = null;
  };
  const wheel = (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    camera.zoom(Math.exp(-0.0015 * Math.max(-300, Math.min(300, event.deltaY * lines))), ...place(event));
  };
  const key = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const ways = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    const way = ways[event.key];
    if (way && event.shiftKey) camera.pan(-way[0], -way[1]);
    else if (way) camera.rotate(-way[0], -way[1]);
    else if (event.key === '+' || event.key === '=') camera.zoom(1.2);
    else if (event.key === '-') camera.zoom(1 / 1.2);
    else if (event.key === '0') camera.reset();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the arrows of the page move the clock
  };
  const leave = () => hover(-1, -1);
  const menu = (event) => event.preventDefault();
  const all = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: leave, keydown: key, contextmenu: menu };
  for (const [name, fn] of Object.entries(all)) canvas.addEventListener(name, fn);
  canvas.addEventListener('wheel', wheel, { passive: false });
  canvas.style.touchAction = 'none';
}
