import { at, suppressed } from '#analytics/detections/rule-case.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { type Crash, drawImage, fault, type Logging, logCrashes } from './machine.ts';

/** What happened on one or several hosts. */
export interface Story {
  readonly crashes: readonly Crash[];
  readonly logging: Logging;
}

/** Returns a log-uniform number between the bounds. */
export function logUniform(random: SeededRandom, min: number, max: number): number {
  return min * (max / min) ** random.next();
}

/**
 * Returns the times of `count` requests, `mean` seconds apart on average: at random, or sequential with varying
 * duration.
 */
export function requestTimes(random: SeededRandom, count: number, mean: number): number[] {
  const atRandom = random.next() < 0.5;
  let time = 0;
  return Array.from({ length: count }, () => {
    time += mean * (atRandom ? -Math.log(1 - random.next()) : 0.6 + 0.8 * random.next());
    return time;
  });
}

/** Returns a function that assigns process ids as a busy host does. */
export function pids(random: SeededRandom): () => number {
  let pid = random.between(300, 60_000);
  return () => {
    pid += random.between(1, 4);
    return pid;
  };
}

export function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Returns an index below `weights.length`, with a probability proportional to its weight. */
export function weighted(random: SeededRandom, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((a, b) => a + b, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left <= 0;
  });
  return Math.max(0, found);
}

/**
 * Returns the events of a variant in order of arrival: interleaved with those of other programs, out of order, and some
 * or all repeated.
 */
export function deliver(random: SeededRandom, { crashes, logging }: Story): AcceptedEvent[] {
  const last = crashes.reduce((latest, { time }) => Math.max(latest, time), 0);
  const hosts = [...new Set(crashes.map(({ host }) => host))];
  const others = Array.from({ length: random.between(0, 8) }, (_, i) => {
    const exe = `other-${i}`;
    const of = { time: random.next() * last, host: random.pick(hosts), comm: exe, pid: 70_000 + i };
    return fault({ ...of, image: drawImage(random, exe) }, random, random.between(0, 0xf_ffff));
  });
  const events = logCrashes([...crashes, ...others], logging);
  const network = Array.from({ length: random.between(0, 4) }, () =>
    at(random.next() * last, suppressed(random.between(1, 900), 'net_ratelimit'), random.pick(hosts)),
  );
  return repeated(random, disordered(random, [...events, ...network]));
}

function disordered(random: SeededRandom, events: readonly AcceptedEvent[]): AcceptedEvent[] {
  const reach = random.pick([0, 0, 4]);
  return events
    .map((event, i) => ({ event, at: i + reach * random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ event }) => event);
}

function repeated(random: SeededRandom, events: readonly AcceptedEvent[]): AcceptedEvent[] {
  const share = random.pick([0, 0, 0.1, 0.5]);
  if (random.next() < 0.1) return [...events, ...events];
  return events.flatMap((event, i) => {
    const earlier = events[Math.max(0, i - random.between(0, 50))] as AcceptedEvent;
    return random.next() < share ? [event, earlier] : [event];
  });
}
