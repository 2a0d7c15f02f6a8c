import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, covers, type Episode } from '../episode.ts';
import type { Host } from '../state/program.ts';

/** A host's unexplained suppressed callbacks, flat: seconds, nanoseconds, count. The oldest arrival gives way. */
export const PENDING_FIELDS = 3;
const MAX_PENDING = 32 * PENDING_FIELDS;
/** Logged crashes of a host, flat: number of the ten seconds since the epoch, crashes. The oldest arrival gives way. */
const STEP_SECONDS = 10;
const MAX_STEPS = 12 * 2;

/** Counts a crash that the kernel logged, by a trap line, a dump or both. */
export function countLogged(host: Host, time: Instant): void {
  const step = Math.floor(time.seconds / STEP_SECONDS);
  if (host.logged === undefined) {
    host.logged = [step, 1];
    return;
  }
  const { logged } = host;
  for (let i = logged.length - 2; i >= 0; i -= 2) {
    if (logged[i] !== step) continue;
    logged[i + 1] = (logged[i + 1] as number) + 1;
    return;
  }
  if (logged.length >= MAX_STEPS) logged.splice(0, 2);
  logged.push(step, 1);
}

/** Keeps suppressed callbacks that no probe and no burst explains yet. */
export function keepPending(host: Host, time: Instant, count: number): void {
  host.suppressed ??= [];
  if (host.suppressed.length >= MAX_PENDING) host.suppressed.splice(0, PENDING_FIELDS);
  host.suppressed.push(time.seconds, time.nanos, count);
}

/** Suppressed callbacks between an episode's first evidence and its opening belong to it. */
export function claimSuppressed(host: Host, episode: Episode, opened: Instant): void {
  if (host.suppressed === undefined) return;
  const left: number[] = [];
  for (let i = 0; i < host.suppressed.length; i += PENDING_FIELDS) {
    const [seconds, nanos, count] = host.suppressed.slice(i, i + PENDING_FIELDS) as [number, number, number];
    const time = { seconds, nanos };
    if (compareInstants(time, episode.first) >= 0 && compareInstants(time, opened) <= 0) episode.suppressed += count;
    else left.push(seconds, nanos, count);
  }
  host.suppressed = left.length === 0 ? undefined : left;
}

/** The most recently active of the probes around the time. */
export function accompanied(
  probes: readonly Episode[] | undefined,
  time: Instant,
  within: number,
): Episode | undefined {
  let best: Episode | undefined;
  for (const probe of probes ?? []) {
    // A crash that is reported for its program alone explains no others.
    if (probe.register === null || !covers(probe, time.seconds, within)) continue;
    // A line printed before the first evidence counts crashes before it.
    if (compareInstants(time, probe.first) < 0) continue;
    if (best === undefined || probe.touched > best.touched) best = probe;
  }
  return best;
}

/** Crashes that the kernel logged from `from` to `to`, to the step. */
export function loggedSince(host: Host, from: number, to: number): number {
  const { logged = [] } = host;
  let crashes = 0;
  for (let i = 0; i < logged.length; i += 2) {
    const start = (logged[i] as number) * STEP_SECONDS;
    if (start + STEP_SECONDS > from && start <= to) crashes += logged[i + 1] as number;
  }
  return crashes;
}
