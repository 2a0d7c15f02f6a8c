import { type ApiProcess, withApiProcess } from './api-process.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { generateDetections } from './generated-detections.ts';
import { GENERATED_DAYS, generateEvents } from './generated-events.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';
import { untilMerged } from './until-merged.ts';

/** Requests for each list. */
export const ROUNDS = 20;
const DETECTIONS = 50_000;
const LIST_MS = 300;
const SEARCH_MS = 2_000;
const DAY = 86_400_000;

/** Returns the filter values for a round. */
type Asked = (round: number) => Readonly<Record<string, string>>;
type Kind = 'events' | 'detections';
export type Lists = readonly (readonly [what: string, asked: Asked])[];

const host = (round: number, of = 1000) => `edge-${String((round * 37 + 11) % of).padStart(4, '0')}.fra1.example.net`;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const oneOf =
  (name: string, ...values: readonly string[]): Asked =>
  (round) => ({ [name]: values[round % values.length] as string });

/** Every filter, with values that are frequent, rare, old, or absent. */
const EVENT_LISTS: Lists = [
  ['all', () => ({})],
  ['of a day', (round) => ({ from: daysAgo(round + 2), to: daysAgo(round + 1) })],
  ['up to a day', (round) => ({ to: daysAgo(round + 1) })],
  ['by type', oneOf('type', 'LinuxKernelTrap', 'LinuxFatalSignal', 'RegisterProbe', 'ConfigMismatch')],
  ['by hostname', (round) => ({ hostname: host(round) })],
  ['of a host that was quiet for weeks', () => ({ hostname: 'quiet-host.fra1.example.net' })],
  ['of a host that is not there', (round) => ({ hostname: `nowhere-${round}` })],
  ['by procname', (round) => ({ procname: `nginx-worker-${(round % 40) * 5}` })],
  ['of a program in a millionth', oneOf('procname', 'unheard-of')],
  [
    'by file',
    (round) => ({ file: `${['lib', 'mod_', 'plugin-'][round % 3]}${((round * 3) % 150) + (round % 3)}.so.1` }),
  ],
  ['of a file that is not there', (round) => ({ file: `nowhere-${round}.so` })],
  ['by register', oneOf('register', 'ip', 'RDI', 'canary', 'RSI')],
  ['of a detection', () => ({})],
];

const DETECTION_LISTS: Lists = [
  ['all', () => ({})],
  ['of a day', (round) => ({ from: daysAgo(round + 2), to: daysAgo(round + 1) })],
  ['by hostname', (round) => ({ hostname: host(round) })],
  ['by procname', (round) => ({ procname: `nginx-worker-${(round % 40) * 5}` })],
  ['by file', (round) => ({ file: `lib${round % 150}.so.1` })],
  ['by rule', oneOf('rule', 'instruction-pointer-probe', 'stack-canary-probe', 'detector-tampering')],
  ['by severity', oneOf('severity', 'critical', 'low')],
  ['by status', oneOf('status', 'new', 'acknowledged', 'closed')],
  ['by register', oneOf('register', 'ip', 'canary')],
  ['by a search', oneOf('q', 'mail', 'severity>=high', 'nginx-worker-35', 'nosuchword')],
];

const SEARCHES: Lists = [
  ['a frequent word', oneOf('q', 'segfault', 'nginx', 'SIGBUS', 'GeneralProtectionFault')],
  ['a host', (round) => ({ q: host(round) })],
  ['a program', (round) => ({ q: `"nginx-worker-${(round % 40) * 5}"` })],
  ['a word in a millionth', oneOf('q', 'unheard-of', '"kernel.print-fatal-signals"', 'quiet', 'tampered')],
  ['a word that is nowhere', (round) => ({ q: `nosuchword${round}` })],
  ['a number', (round) => ({ q: String(94_577_056_607_458 + round) })],
  ['two words of which one is rare', (round) => ({ q: `unheard SIGILL${round % 2 ? '' : ' not canary'}` })],
];

/** Measures pages of a hundred rows, requested one after another over HTTP, with events that ClickHouse generated. */
export async function benchQueries({ clickHouse, stored, progress }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    await generateEvents(clickhouse, stored, progress);
    await generateDetections(clickhouse, DETECTIONS);
    progress(`events are merged: ${await untilMerged(clickhouse)}`);
    return withApiProcess(clickHouse, clickhouse.database, (api) => measureQueries(api, stored));
  });
}

/** Measures the response times with a database of `stored` events. */
async function measureQueries(api: ApiProcess, stored: number): Promise<BenchRow[]> {
  const id = await anyDetection(api);
  const events = eventLists(id);
  const month = { from: new Date(Date.now() - GENERATED_DAYS * DAY).toISOString() };
  const overMonth = SEARCHES.map(([what, asked]): Lists[number] => [what, (round) => ({ ...month, ...asked(round) })]);
  const of = `${stored.toLocaleString('en-US')} events`;
  return [
    await measure(api, `queries: events by any one filter, of ${of}`, 'events', events, LIST_MS),
    await measure(
      api,
      `queries: detections by any one filter, of ${DETECTIONS.toLocaleString('en-US')}`,
      'detections',
      DETECTION_LISTS,
      LIST_MS,
    ),
    await measure(
      api,
      `queries: events by words over ${GENERATED_DAYS} days, of ${of}`,
      'events',
      overMonth,
      SEARCH_MS,
    ),
  ];
}

/** Returns the lists of events by each filter. The list of a detection's events uses the given id. */
export function eventLists(detection: string): Lists {
  return EVENT_LISTS.map(([what, asked]) => [what, what === 'of a detection' ? () => ({ detection }) : asked]);
}

/** Returns the id of the newest detection. */
export async function anyDetection({ url, headers }: ApiProcess): Promise<string> {
  const answer = await fetch(`${url}/api/detections?limit=1`, { headers });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  if (data[0] === undefined) throw new Error('there are no detections');
  return data[0].id;
}

/** Milliseconds of each request for a list, and the number of rows in its last response. */
export interface Taken {
  readonly took: readonly number[];
  readonly found: number;
}

async function measure(api: ApiProcess, name: string, kind: Kind, lists: Lists, most: number): Promise<BenchRow> {
  return rowOfLists(name, await askWhile(api, kind, lists, (round) => round < ROUNDS), most);
}

/** Requests each list once in every round, while `more` returns true. Filter values repeat after `ROUNDS` rounds. */
export async function askWhile(
  api: ApiProcess,
  kind: Kind,
  lists: Lists,
  more: (round: number) => boolean,
): Promise<ReadonlyMap<string, Taken>> {
  const taken = new Map(lists.map(([what]) => [what, { took: [] as number[], found: 0 }]));
  for (let round = 0; more(round); round += 1)
    for (const [what, asked] of lists) {
      const { ms, found } = await ask(api, kind, asked(round % ROUNDS));
      const list = taken.get(what);
      list?.took.push(ms);
      if (list !== undefined) list.found = found;
    }
  return taken;
}

/** Requests a page of a hundred rows over HTTP. */
async function ask(
  api: ApiProcess,
  kind: Kind,
  asked: Readonly<Record<string, string>>,
): Promise<{ readonly ms: number; readonly found: number }> {
  const begun = performance.now();
  const query = new URLSearchParams({ limit: '100', ...asked });
  const answer = await fetch(`${api.url}/api/${kind}?${query}`, { headers: api.headers });
  const text = await answer.text();
  const ms = performance.now() - begun;
  if (answer.status !== 200) throw new Error(`${kind}?${query} is refused: ${text.slice(0, 400)}`);
  return { ms, found: (JSON.parse(text) as { data: unknown[] }).data.length };
}

/** Returns a row with the slowest list: each list has to meet the target, not only their mean. */
export function rowOfLists(name: string, taken: ReadonlyMap<string, Taken>, most: number | null): BenchRow {
  const details: string[] = [];
  let worst = 0;
  for (const [what, { took, found }] of taken) {
    const p95 = percentile(took, 0.95);
    worst = Math.max(worst, p95);
    details.push(
      `${what}: p95 ${p95.toFixed(0)} ms, median ${median(took).toFixed(0)}, slowest ${Math.max(...took).toFixed(0)}; ${found} found at last`,
    );
  }
  return { ...boundRow(name, 'ms p95', worst, most), details };
}
