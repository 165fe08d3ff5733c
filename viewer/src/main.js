// The page: reads its data, builds its parts, and moves the clock once per animation frame.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { openPage } from './data.js';
import { Clock } from './clock.js';
import { el } from './dom.js';
import { startTheme, theme, toggleTheme } from './theme.js';
import { createStage } from './stage.js';
import { createContents, createHeader } from './parts/header.js';
import { ledgerTable } from './parts/summary.js';
import { createNotes, createScenes, createWarnings } from './parts/texts.js';
import { createTransport, eventStops } from './parts/transport.js';
import { createHelp, startKeys } from './parts/keys.js';
import { createEventSection } from './parts/events.js';
import { Pointer, Range } from './charts/range.js';
import { gutter } from './charts/plot.js';
import { createTimeSection } from './charts/section.js';
import { patternOf } from './charts/patterns.js';
import { createPhaseSection } from './charts/phase.js';
import { createProofSection } from './charts/proofs.js';

const READ_EVERY = 100; // ms between the texts that follow a playing clock

// Records get what tells them apart: a label that no other one has, and a colour.
function labelled(records) {
  const titles = records.map((record) => record.title || record.name);
  return records.map((record, k) => {
    const unique = titles.filter((title) => title === titles[k]).length === 1;
    return {
      ...record,
      label: unique ? titles[k] : record.name || `record ${k + 1}`,
      colour: () => theme().palette[k % 8],
      pattern: patternOf(k),
    };
  });
}

function spanOf(records) {
  const spans = records
    .map((record) => record.span)
    .filter((span) => span && Number.isFinite(span[0]) && Number.isFinite(span[1]));
  return spans.length > 0
    ? [Math.min(...spans.map((span) => span[0])), Math.max(...spans.map((span) => span[1]))]
    : [0, 1];
}

// Each record says when most happens in it: the earliest of these moments, when something happens in all of them.
export function openingOf(records) {
  const moments = records.map((record) => record.opens).filter(Number.isFinite);
  return moments.length > 0 ? Math.min(...moments) : -Infinity;
}

// A part that fails says so in its place; the others stay.
function guarded(name, make) {
  const failure = (error) => el('p', { class: 'failed', role: 'alert' }, `${name}: ${error?.message ?? error}`);
  try {
    const part = make();
    part?.ready?.catch((error) => part.element.append(failure(error)));
    return part;
  } catch (error) {
    return { element: failure(error) };
  }
}

// What follows the clock: {series, phase, proofs, events}, each {element, ready?, tick?(), read?()} or null.
function createParts(records, shared) {
  const { clock } = shared;
  const some = records.some((record) => record.panels?.length);
  const series = some ? guarded('time series', () => createTimeSection(records, shared)) : null;
  shared.opened = series?.ready?.catch(() => {}); // then the gutter of all charts is known
  return {
    series,
    phase: guarded('phase plots', () => createPhaseSection(records, clock)),
    proofs: guarded('proofs', () => createProofSection(records, shared)),
    events: guarded('events', () => createEventSection(records, clock)),
  };
}

// The sections below the clock, with links to them; the ledger stands by itself where there are no curves of energy.
function createBody(records, parts) {
  const sections = [
    [parts.series?.element, 'series', 'Time series'],
    [parts.phase?.element, 'phase', 'Phase plots'],
    [parts.proofs?.element, 'proofs', 'Proofs'],
    [parts.events?.element, 'events', 'Events'],
    [createNotes(records), 'notes', 'Notes'],
    [createScenes(records), 'scene', 'Scene'],
  ].filter(([element]) => element);
  const table = ledgerTable(records);
  const ledger = table && el('section', { class: 'ledger-section' }, table);
  Promise.resolve(parts.series?.ready)
    .catch(() => {})
    .then(() => ledger && document.getElementById('after-energy')?.append(ledger));
  return [createContents(sections.map(([, id, text]) => [id, text])), ...sections.map(([element]) => element), ledger];
}

function createMoving(records, clock) {
  const root = el('div', { class: 'stage' });
  const stage = createStage(records, clock, root);
  const still = el('p', { class: 'quiet' }, 'There is no moving picture of this: the notes below say why.');
  const element = el('section', { class: 'moving', 'aria-label': 'Motion' }, stage.empty ? still : root);
  return { element, stage };
}

function build(app) {
  const page = openPage();
  const records = labelled(page.records);
  const clock = new Clock(spanOf(records));
  clock.open(openingOf(records));
  const unit = records[0]?.time_unit ?? '';
  const shared = { clock, range: new Range(clock.span), pointer: new Pointer(), timeUnit: unit, gutter };
  const stops = eventStops(records);
  const help = createHelp();
  const moving = createMoving(records, clock);
  const parts = createParts(records, shared);
  const body = [
    createHeader(page, records, help.open),
    createWarnings(records, clock),
    moving.element,
    createTransport(records, clock, stops, unit),
    ...createBody(records, parts),
    el('footer', {}, `Written by thud ${page.thud_version ?? ''}. Everything is in this file; it needs no network.`),
    help.element,
  ];
  app.append(...body.filter(Boolean));
  startKeys(clock, stops, { help: help.open, theme: toggleTheme });
  run(clock, moving.stage, Object.values(parts).filter(Boolean));
}

// One animation frame after the other: the clock, the views, and what follows the clock when it has moved.
function run(clock, stage, parts) {
  let last = null;
  let moved = true;
  let read = 0;
  clock.subscribe((_, what) => {
    if (what === 'time') moved = true;
  });
  const frame = (now) => {
    if (last !== null) clock.advance(Math.min(0.1, (now - last) / 1000));
    last = now;
    stage.update(clock.t, clock.playing);
    if (moved) {
      const late = !clock.playing || now - read > READ_EVERY;
      for (const part of parts) {
        part.tick?.();
        if (late) part.read?.();
      }
      if (late) read = now;
      moved = !late; // the texts of the last time are not forgotten
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const app = document.getElementById('app');
startTheme();
try {
  build(app);
} catch (error) {
  app.append(el('p', { class: 'failed', role: 'alert' }, `This page cannot be shown: ${error.message}`));
}
