import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, covers, type Episode } from '../episode.ts';
import type { Host } from '../state/program.ts';

/**
 * A host's suppressed callbacks that no probe explains, as flat numbers: seconds, nanoseconds, count. The oldest
 * arrival is dropped first.
 */
export const PENDING_FIELDS = 3;
const MAX_PENDING = 32 * PENDING_FIELDS;
/**
 * Logged crashes of a host as flat numbers: index of the ten-second step since the epoch, number of crashes, number of
 * unmatched dumps. A dump is unmatched until a trap line or a suppressed line accounts for it. The oldest arrival is
 * dropped first.
 */
const STEP_SECONDS = 10;
const STEP_FIELDS = 3;
const DUMPED = 2;
const MAX_STEPS = 12 * STEP_FIELDS;

/**
 * What the kernel logged of a crash: the trap line of a dump that was already counted; a trap line, or an abort, which
 * has none; or a dump without its trap line. Each value is the change in the number of dumps without a matching line.
 */
export const LOGGED = { trapOfDump: -1, crash: 0, dump: 1 } as const;
export type LoggedLine = (typeof LOGGED)[keyof typeof LOGGED];

/** Counts a crash that the kernel logged, by a trap line, a dump or both. */
export function countLogged(host: Host, time: Instant, line: LoggedLine): void {
  const step = Math.floor(time.seconds / STEP_SECONDS);
  // Fast path for nearly every crash: the step is already in the list. The crash is only counted on the host until the
  // list is read.
  if (line === LOGGED.crash && step === host.loggedStep && host.logged !== undefined) {
    host.loggedLately += 1;
    return;
  }
  const logged = loggedOf(host) ?? [];
  let at = logged.length - STEP_FIELDS;
  while (at >= 0 && logged[at] !== step) at -= STEP_FIELDS;
  if (at < 0) {
    if (line === LOGGED.trapOfDump) return;
    at = addStep(logged, step);
  }
  if (line !== LOGGED.trapOfDump) logged[at + 1] = (logged[at + 1] as number) + 1;
  if (line !== LOGGED.crash) logged[at + DUMPED] = Math.max(0, (logged[at + DUMPED] as number) + line);
  host.logged = logged;
  host.loggedStep = step;
}

/**
 * Appends a step without crashes, and returns its index. Shifts a full list in place, because `splice` takes several
 * times longer.
 */
function addStep(logged: number[], step: number): number {
  if (logged.length < MAX_STEPS) return logged.push(step, 0, 0) - STEP_FIELDS;
  const at = MAX_STEPS - STEP_FIELDS;
  for (let i = 0; i < at; i += 1) logged[i] = logged[i + STEP_FIELDS] as number;
  logged[at] = step;
  logged[at + 1] = 0;
  logged[at + DUMPED] = 0;
  return at;
}

/** Restores the list that `loggedOf` returned. */
export function restoreLogged(host: Host, logged: number[] | undefined): void {
  if (logged === undefined || logged.length === 0) return;
  host.logged = logged;
  host.loggedStep = logged[logged.length - STEP_FIELDS] as number;
}

/** Returns the list of logged crashes, including those that were only counted on the host. */
export function loggedOf(host: Host): number[] | undefined {
  const { logged, loggedStep, loggedLately } = host;
  if (logged === undefined || loggedLately === 0) return logged;
  host.loggedLately = 0;
  let at = logged.length - STEP_FIELDS;
  while (at >= 0 && logged[at] !== loggedStep) at -= STEP_FIELDS;
  logged[at + 1] = (logged[at + 1] as number) + loggedLately;
  return logged;
}

/**
 * Returns how many of `count` suppressed trap lines belong to crashes without a logged dump. The dumps of
 * `kernel.print-fatal-signals` are not rate-limited, so there is often a dump for a crash whose trap line was
 * suppressed. Each dump accounts for one suppressed line.
 */
export function withoutDumped({ logged = [] }: Host, { seconds }: Instant, count: number): number {
  const step = Math.floor(seconds / STEP_SECONDS);
  let left = count;
  for (let at = 0; at < logged.length && left > 0; at += STEP_FIELDS) {
    if ((logged[at] as number) > step) continue;
    const known = Math.min(left, logged[at + DUMPED] as number);
    logged[at + DUMPED] = (logged[at + DUMPED] as number) - known;
    left -= known;
  }
  return left;
}

/** Stores suppressed callbacks that no probe and no burst explains yet. */
export function keepPending(host: Host, time: Instant, count: number): void {
  host.suppressed ??= [];
  if (host.suppressed.length >= MAX_PENDING) host.suppressed.splice(0, PENDING_FIELDS);
  host.suppressed.push(time.seconds, time.nanos, count);
}

/** Assigns the suppressed callbacks between the episode's first evidence and its opening to the episode. */
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

/** Returns the most recently active probe around the time. */
export function accompanied(
  probes: readonly Episode[] | undefined,
  time: Instant,
  within: number,
): Episode | undefined {
  let best: Episode | undefined;
  for (const probe of probes ?? []) {
    // A detection of single crashes (no register) explains no others.
    if (probe.register === null || !covers(probe, time.seconds, within)) continue;
    // A line printed before the first evidence counts earlier crashes.
    if (compareInstants(time, probe.first) < 0) continue;
    if (best === undefined || probe.touched > best.touched) best = probe;
  }
  return best;
}

/** Counts the crashes that the kernel logged from `from` to `to`, rounded to steps. */
export function loggedSince(host: Host, from: number, to: number): number {
  const logged = loggedOf(host) ?? [];
  let crashes = 0;
  for (let i = 0; i < logged.length; i += STEP_FIELDS) {
    const start = (logged[i] as number) * STEP_SECONDS;
    if (start + STEP_SECONDS > from && start <= to) crashes += logged[i + 1] as number;
  }
  return crashes;
}
