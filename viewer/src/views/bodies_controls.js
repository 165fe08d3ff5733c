// The controls of the view of bodies: labelled elements of the page, all operable by keys.
import { el, freshId } from '../dom.js';
import { MODES } from './bodies_colours.js';

const MOST_LISTED = 300; // names in the list of what can be followed; beyond it names are typed

// settings: read by the view; what it holds changes here, then changed() is called. shadows null: not drawn by WebGL.
export function createControls({ bodies, contacts, residuals, settings, camera, changed, select }) {
  const set = (key, value) => {
    settings[key] = value;
    changed();
  };
  const modes = MODES.filter(({ name }) => (name !== 'force' || contacts.exist) && (name !== 'residual' || residuals));
  const list = [choice('Colour by', modes.map(({ name, label }) => [name, label]), settings.colour, (value) => set('colour', value))];
  if (contacts.exist) {
    list.push(tick('Forces', settings.forces, (on) => set('forces', on)));
    list.push(slider('Length of forces', -1.5, 1.5, 0, (value) => set('forceScale', 10 ** value)));
  }
  if (bodies.joints.length + bodies.springs.length > 0)
    list.push(tick(bodies.joints.length > 0 ? 'Joints' : 'Springs', settings.joints, (on) => set('joints', on)));
  const follow = follower(bodies, (body) => {
    settings.follow = body;
    select(body);
    changed();
  });
  list.push(follow.element);
  if (camera.look) {
    const buttons = ['x', 'y', 'z', 'iso'].map((name) => button(name, name === 'iso' ? 'View from a corner' : `View along the ${name} axis`, () => camera.look(name)));
    list.push(group('View', ...buttons, button('reset', 'Whole scene', () => release(camera))));
  } else list.push(group('View', button('reset', 'Whole scene', () => release(camera))));
  if (settings.shadows !== null) list.push(tick('Perspective', camera.perspective, (on) => camera.setPerspective(on)));
  if (settings.shadows !== null) list.push(tick('Shadows', settings.shadows, (on) => set('shadows', on)));
  // The whole scene again: nothing is followed.
  function release(of) {
    follow.show(-1);
    settings.follow = -1;
    of.reset();
    changed();
  }
  return { elements: list, follow: (body) => { settings.follow = body; follow.show(body); changed(); } };
}

function choice(label, options, value, fn) {
  const input = el('select', { id: freshId('bodies') }, options.map(([key, text]) => el('option', { value: key }, text)));
  input.value = value;
  input.addEventListener('change', () => fn(input.value));
  return labelled(label, input);
}

function labelled(label, input) {
  return el('span', { class: 'control' }, el('label', { for: input.id }, label), ' ', input);
}

function tick(label, value, fn) {
  const input = el('input', { type: 'checkbox', id: freshId('bodies') });
  input.checked = value;
  input.addEventListener('change', () => fn(input.checked));
  return el('span', { class: 'control' }, input, ' ', el('label', { for: input.id }, label));
}

function slider(label, min, max, value, fn) {
  const input = el('input', { type: 'range', min, max, step: 0.05, value, 'aria-label': label, title: label, style: 'width:6em' });
  input.addEventListener('input', () => fn(Number(input.value)));
  return el('span', { class: 'control' }, input);
}

function button(text, label, fn) {
  return el('button', { type: 'button', title: label, 'aria-label': label, onclick: fn }, text);
}

function group(label, ...children) {
  return el('span', { class: 'control', role: 'group', 'aria-label': label }, label, ' ', children);
}

// What is followed: a list, or for many bodies a field that takes names. {element, show(body)}
function follower(bodies, fn) {
  const movers = Array.from({ length: bodies.count }, (_, i) => i).filter((i) => bodies.roles[i] !== 1);
  if (movers.length <= MOST_LISTED) {
    const element = choice('Follow', [['-1', 'nothing'], ...movers.map((i) => [String(i), bodies.names[i]])], '-1', (value) => fn(Number(value)));
    const input = element.querySelector('select');
    input.style.maxWidth = '11em';
    return { element, show: (body) => { input.value = String(body); } };
  }
  const input = el('input', { type: 'text', id: freshId('bodies'), placeholder: 'name', size: 12, autocomplete: 'off' });
  const find = () => {
    const name = input.value.trim();
    const body = name === '' ? -1 : bodies.names.indexOf(name);
    input.setAttribute('aria-invalid', String(name !== '' && body < 0));
    if (name === '' || body >= 0) fn(body);
  };
  input.addEventListener('change', find);
  return { element: labelled('Follow', input), show: (body) => { input.value = body >= 0 ? bodies.names[body] : ''; } };
}
