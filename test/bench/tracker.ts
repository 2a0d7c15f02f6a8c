import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';
import { createDetectionTracker } from '#analytics/detections/user-rules/detection-tracker.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';
import { crashLoop, flood, probe, type Story, scattered, trapOrDump } from './tracker-stories.ts';

/** Events of a turn. */
const EVENTS = 30_000;
const ROUNDS = 10;
const WARM_UP = 4;

/**
 * Measures the cost of the rules in addition to decoding. The rate of `feed`, drained every 4,096 events, is compared
 * with the rate of `JSON.parse` on the text of the same events. 0.5 µs an event is twice the speed of `JSON.parse`. The
 * sides alternate, and the median turn counts. Long-running stories use a tracker that has already received the events
 * before; attacks begin with a new tracker. No event occurs twice, because the tracker skips repeated events.
 */
export async function benchTracker(): Promise<BenchRow[]> {
  return [
    measure('derive, crash loops of 4,000 programs', crashLoop(false), 'goes on', 2),
    measure('derive, the same above 2^53', crashLoop(true), 'goes on', 1),
    measure('derive, traps with their dumps', trapOrDump, 'goes on', 1),
    measure('derive, one program crashing at ever new places', scattered, 'begins', 0.3),
    measure('derive, an open probe of 2,000 addresses', probe, 'begins', 0.3),
    measure('derive, every event another program', flood, 'begins', 0.2),
    measureUserRules('derive, with 20 rules of users against none', crashLoop(false)),
  ];
}

const USER_RULES = 20;
const HEAD = (name: string) =>
  `title: ${name}\nname: ${name}\nlogsource: { product: linux, service: kernel }\ndetection:\n`;

/**
 * Returns a user rule. Each kind is a fifth of the rules: names, an expression, an address, and a count of crashes or
 * of distinct addresses. Few events match.
 */
function userRule(i: number): string {
  const name = `rule_${i}`;
  const count = (type: string, condition: string) =>
    `${HEAD(`${name}_base`)}  s: { trap: Segfault }\n  condition: s\n---\ntitle: ${name}\nname: ${name}\ncorrelation: { type: ${type}, rules: ${name}_base, group-by: [hostname, procname], timespan: 10m, condition: ${condition} }\n`;
  switch (i % 5) {
    case 0:
      return `${HEAD(name)}  s: { procname|startswith: [daemon-${i}, server-${i}, worker-${i}] }\n  condition: s\n`;
    case 1:
      return `${HEAD(name)}  s: { procname|re: '^(mail|dns)-[a-z]+-${i}[0-9]*$' }\n  condition: s\n`;
    case 2:
      return `${HEAD(name)}  s: { ip|gte: 0x7fff00000000, ip|lt: 0x7fff${i}000000 }\n  condition: s\n`;
    case 3:
      return count('event_count', '{ gte: 1000 }');
    default:
      return count('value_count', '{ field: ip, gte: 1000 }');
  }
}

/** Measures the processor time an event with 20 user rules and without any, alternating in one process. */
function measureUserRules(name: string, make: Story): BenchRow {
  const sources = Array.from({ length: USER_RULES }, (_, i) => ({ source: userRule(i), version: 1 }));
  for (const { source } of sources) {
    const read = readRule(source);
    if (!read.ok) throw new Error(`${read.refusal.message}: ${source}`);
  }
  const sides = [[], sources].map((userRules) => ({
    tracker: createDetectionTracker({ ...DEFAULT_DETECTION_SETTINGS, userRules }),
    times: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const events = Array.from({ length: EVENTS }, (_, index) => make(round * EVENTS + index));
    for (const { tracker, times } of sides) times.push(timed(() => feedAll(tracker, events)));
  }
  const [none, twenty] = sides.map(({ times }) => perSecond(times)) as [number, number];
  return ratioRow(name, 'events/s', twenty, none, null);
}

function feedAll(tracker: Tracker, events: readonly AcceptedEvent[]): void {
  for (let i = 0; i < events.length; i += 1) {
    tracker.feed(events[i] as AcceptedEvent);
    if (i % 4096 === 4095) tracker.drain();
  }
  // Ensures that all events are judged.
  tracker.hasAnnouncements();
}

function measure(name: string, make: Story, state: 'goes on' | 'begins', target: number): BenchRow {
  const times = { ours: [] as number[], parse: [] as number[] };
  let tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = state === 'goes on' ? round * EVENTS : 0;
    const events = Array.from({ length: EVENTS }, (_, index) => make(before + index));
    const texts = events.map(({ event }) => stringifyExact(event));
    times.parse.push(
      timed(() => {
        for (const text of texts) JSON.parse(text);
      }),
    );
    if (state === 'begins') tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    times.ours.push(timed(() => feedAll(tracker, events)));
  }
  const [ours, parse] = [perSecond(times.ours), perSecond(times.parse)];
  return ratioRow(name, 'events/s', ours, parse, target);
}

/** Runs `work` and returns its processor time in milliseconds, which other processes on the machine do not affect. */
function timed(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function perSecond(times: readonly number[]): number {
  return (EVENTS / median(times.slice(WARM_UP))) * 1000;
}
