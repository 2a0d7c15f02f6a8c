// Sees `input` and `tools`; its last value is the output.
const MAX_PAGES = 50;
const from = new Date(Date.now() - (input.hours ?? 24) * 3_600_000).toISOString();

/** All pages of a list, up to a number of them. */
async function all(list, filters) {
  const found = [];
  let cursor;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await list({ ...filters, limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...answer.data);
    if (answer.nextCursor === null) return { found, truncated: false };
    cursor = answer.nextCursor;
  }
  return { found, truncated: true };
}

const { found: events, truncated } = await all(tools.events.list, { hostname: input.hostname, from });
const { found: detections } = await all(tools.detections.list, { hostname: input.hostname, from });
const minuteOf = (time) => `${time.slice(0, 16)}Z`;

const minutes = new Map();
for (const { time, event } of events) {
  const minute = minuteOf(time);
  const row = minutes.get(minute) ?? { events: 0, types: {}, programs: new Set() };
  const { type, procname } = event.event;
  row.events += 1;
  row.types[type] = (row.types[type] ?? 0) + 1;
  if (procname !== undefined && procname !== null) row.programs.add(procname);
  minutes.set(minute, row);
}

const types = [...new Set(events.map(({ event }) => event.event.type))].sort();
// A cell that a spreadsheet would take for a formula is text.
const cell = (value) => {
  const text = String(value);
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};
const rows = [...minutes.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
const openAt = (minute) =>
  detections.filter(({ firstSeen, lastSeen }) => minuteOf(firstSeen) <= minute && minute <= minuteOf(lastSeen));
await tools.files.write({
  path: 'timeline.csv',
  contentType: 'text/csv',
  content: [
    ['minute', 'events', ...types, 'programs', 'detections'],
    ...rows.map(([minute, row]) => [
      minute,
      row.events,
      ...types.map((type) => row.types[type] ?? 0),
      [...row.programs].join(' '),
      openAt(minute)
        .map(({ id }) => id)
        .join(' '),
    ]),
  ]
    .map((row) => `${row.map(cell).join(',')}\n`)
    .join(''),
});

const busiest = rows.reduce(
  (most, row) => (most === undefined || row[1].events > most[1].events ? row : most),
  undefined,
);
({
  hostname: input.hostname,
  events: events.length,
  detections: detections.map(({ id }) => id),
  minutes: rows.length,
  busiest: busiest?.[0] ?? null,
  programs: [...new Set(rows.flatMap(([, { programs }]) => [...programs]))].sort(),
  truncated,
});
