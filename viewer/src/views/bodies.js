// Placeholder: says what it would show.
export async function create(record, host, context) {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'bodies');
  canvas.tabIndex = 0;
  host.append(canvas);
  const draw = (t) => {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = host.clientWidth * ratio;
    canvas.height = host.clientHeight * ratio;
    canvas.style.width = host.clientWidth + 'px';
    canvas.style.height = host.clientHeight + 'px';
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.fillStyle = context.theme().ink;
    pen.fillText('bodies at ' + t, 20, 30);
  };
  return { update: draw, resize() {}, dispose() { canvas.remove(); } };
}
