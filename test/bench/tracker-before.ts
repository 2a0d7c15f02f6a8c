import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median } from './statistics.ts';
import { crashLoop, flood, probe, type Story, scattered, trapOrDump } from './tracker-stories.ts';

/** Checkout whose tracker is the baseline. */
const BEFORE = process.env.BENCH_BEFORE;
/** Maximum cost of the rules, as a multiple of their cost in the other checkout. */
const AT_MOST = 1.5;
const EVENTS = 30_000;
const ROUNDS = 13;
const WARM_UP = 4;
/** Events of a turn: a chunk that is read, and then fed to one side. */
const CHUNK = 128;
/**
 * Multiple of the median above which a turn was interrupted by other load. Clean-up in the rules and garbage collection
 * take less.
 */
const INTERRUPTED = 10;

/**
 * Age of the events that a side receives. All events of a round are read before the round, or each chunk is read right
 * before its turn, as in `ingest`.
 */
type Made = 'long in memory' | 'just made';

const STORIES: readonly (readonly [name: string, story: Story, state: 'goes on' | 'begins'])[] = [
  ['crash loops of 4,000 programs', crashLoop(false), 'goes on'],
  ['the same above 2^53', crashLoop(true), 'goes on'],
  ['traps with their dumps', trapOrDump, 'goes on'],
  ['one program crashing at ever new places', scattered, 'begins'],
  ['an open probe of 2,000 addresses', probe, 'begins'],
  ['every event another program', flood, 'begins'],
];

/**
 * Measures the time of the rules for an event, as a multiple of the time that the tracker of another checkout
 * (`BENCH_BEFORE`) takes for the same events. The sides alternate in turns of one chunk, in one process. A turn is too
 * short for the resolution of processor time, so it is measured in real time, and turns that other load interrupted are
 * left out. Long-running stories use trackers that have already received the events before; attacks begin with a new
 * tracker.
 */
export async function benchTrackerBefore(): Promise<BenchRow[]> {
  if (BEFORE === undefined) throw new Error('BENCH_BEFORE must name the checkout to compare with');
  const before = await trackersOf(path.resolve(BEFORE));
  const ours = () => createTracker(DEFAULT_DETECTION_SETTINGS);
  const rows: BenchRow[] = [];
  for (const [name, story, state] of STORIES)
    for (const made of ['long in memory', 'just made'] as const)
      rows.push(compare(`rules against before, ${name}, ${made}`, story, state, made, [ours, before]));
  return rows;
}

/** A tracker of another checkout may judge each event immediately. It then has no `hasAnnouncements`. */
type AnyTracker = Omit<Tracker, 'hasAnnouncements'> & Partial<Pick<Tracker, 'hasAnnouncements'>>;

interface TrackerModules {
  readonly createTracker: (settings: unknown) => AnyTracker;
  readonly DEFAULT_DETECTION_SETTINGS: unknown;
}

/** Returns a function that creates trackers of another checkout with its default settings. */
async function trackersOf(checkout: string): Promise<() => AnyTracker> {
  const load = async (file: string) => {
    const whole = path.join(checkout, 'analytics/detections', file);
    await access(whole);
    return (await import(pathToFileURL(whole).href)) as Partial<TrackerModules>;
  };
  const { createTracker: create } = await load('tracker.ts');
  const { DEFAULT_DETECTION_SETTINGS: settings } = await load('settings.ts');
  if (create === undefined || settings === undefined)
    throw new Error(`${checkout} has no tracker that can be compared`);
  return () => create(settings);
}

interface Side {
  readonly make: () => AnyTracker;
  tracker: AnyTracker;
  /** Microseconds an event, one entry for each turn. */
  readonly costs: number[];
}

function compare(
  name: string,
  story: Story,
  state: 'goes on' | 'begins',
  made: Made,
  makers: readonly [() => AnyTracker, () => AnyTracker],
): BenchRow {
  const sides = makers.map((make): Side => ({ make, tracker: make(), costs: [] })) as [Side, Side];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (state === 'begins') for (const side of sides) side.tracker = side.make();
    feedRound(sides, textsOf(story, state === 'goes on' ? round * EVENTS : 0), made, round);
  }
  const [ours, before] = undisturbed(sides);
  const row = boundRow(name, 'times as much', ours / before, AT_MOST);
  return { ...row, details: [`${ours.toFixed(2)} µs an event, before ${before.toFixed(2)}`] };
}

/** Returns the microseconds an event of each side. Leaves out pairs of turns in which other load interrupted one. */
function undisturbed(sides: readonly [Side, Side]): [number, number] {
  const warm = WARM_UP * Math.ceil(EVENTS / CHUNK);
  const [ours, before] = sides.map(({ costs }) => costs.slice(warm)) as [number[], number[]];
  const limits = [median(ours), median(before)].map((cost) => cost * INTERRUPTED) as [number, number];
  const kept = ours.flatMap((cost, turn) => {
    const other = before[turn] as number;
    return cost < limits[0] && other < limits[1] ? [[cost, other] as const] : [];
  });
  const mean = (side: 0 | 1) => kept.reduce((sum, pair) => sum + pair[side], 0) / kept.length;
  return [mean(0), mean(1)];
}

function textsOf(story: Story, from: number): readonly string[] {
  return Array.from({ length: EVENTS }, (_, index) => stringifyExact(story(from + index).event));
}

function feedRound(sides: readonly Side[], texts: readonly string[], made: Made, round: number): void {
  const long = made === 'just made' ? undefined : read(texts);
  for (let from = 0; from < texts.length; from += CHUNK) {
    // Alternates the order of the sides, so that neither always finds the events in the processor cache.
    const turns = ((from / CHUNK + round) & 1) === 0 ? sides : sides.toReversed();
    for (const side of turns) {
      const events = long?.slice(from, from + CHUNK) ?? read(texts.slice(from, from + CHUNK));
      side.costs.push(timed(() => feed(side.tracker, events)) / events.length);
    }
    if ((from / CHUNK) % 32 === 31) for (const { tracker } of sides) tracker.drain();
  }
}

function read(texts: readonly string[]): readonly AcceptedEvent[] {
  return texts.map((text) => {
    const event = readEvent(text);
    if (!event.ok) throw new Error(`an event of the benchmark was rejected: ${event.message}`);
    return event;
  });
}

/** Feeds the events, then calls `hasAnnouncements`, so that all events are judged. */
function feed(tracker: AnyTracker, events: readonly AcceptedEvent[]): void {
  for (const event of events) tracker.feed(event);
  tracker.hasAnnouncements?.();
}

/** Runs `work` and returns its time in microseconds. */
function timed(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1_000;
}
