// The times of a record's events.
const STRONG = new Set(['impact', 'percussion', 'jump', 'limit', 'zeno', 'fork']);

const columnOf = (record, name) => (record.events?.columns ?? []).findIndex((column) => column.name === name);

// All events as [{t, kind, strong}], in the order of time; strong: something jumps there.
export function eventList(record) {
  const time = columnOf(record, 't');
  const kind = columnOf(record, 'kind');
  if (time < 0) return [];
  return record.events.rows
    .filter((row) => Number.isFinite(row[time]))
    .map((row) => ({ t: row[time], kind: String(row[kind] ?? ''), strong: STRONG.has(row[kind]) }))
    .sort((a, b) => a.t - b.t);
}

// Times (increasing) that charts mark: where something jumps, or of all events when nothing does.
export function eventTimes(record) {
  const all = eventList(record);
  const strong = all.filter((event) => event.strong);
  return (strong.length > 0 ? strong : all).map((event) => event.t);
}
