import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, covers, type Episode } from '../episode.ts';
import type { Host } from '../state/program.ts';

/** A host's unexplained suppressed callbacks, flat: seconds, nanoseconds, count. The oldest arrival gives way. */
export const PENDING_FIELDS = 3;
const MAX_PENDING = 32 * PENDING_FIELDS;
/**
 * Logged crashes of a host, flat: number of the ten seconds since the epoch, crashes, and those of them of which only a dump is known and which
 * no suppressed trap line stands for yet. The oldest arrival gives way.
 */
const STEP_SECONDS = 10;
const STEP_FIELDS = 3;
const DUMPED = 2;
const MAX_STEPS = 12 * STEP_FIELDS;

/**
 * What the kernel logged of a crash: the trap line of a dump counted before, a trap line or an abort, which has none, or a dump without its trap
 * line. By how much it changes the dumps that no suppressed line stands for.
 */
export const LOGGED = { trapOfDump: -1, crash: 0, dump: 1 } as const;
export type LoggedLine = (typeof LOGGED)[keyof typeof LOGGED];

/** Counts a crash that the kernel logged, by a trap line, a dump or both. */
export function countLogged(host: Host, time: Instant, line: LoggedLine): void {
  const step = Math.floor(time.seconds / STEP_SECONDS);
  // Nearly every crash: a step is in the list, and only counted on the host itself until the list is read.
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

/** Adds a step without crashes. A full list is moved in place: `splice` takes several times longer. Returns where the step begins. */
function addStep(logged: number[], step: number): number {
  if (logged.length < MAX_STEPS) return logged.push(step, 0, 0) - STEP_FIELDS;
  const at = MAX_STEPS - STEP_FIELDS;
  for (let i = 0; i < at; i += 1) logged[i] = logged[i + STEP_FIELDS] as number;
  logged[at] = step;
  logged[at + 1] = 0;
  logged[at + DUMPED] = 0;
  return at;
}

/** Sets what `loggedOf` returned. */
export function restoreLogged(host: Host, logged: number[] | undefined): void {
  if (logged === undefined || logged.length === 0) return;
  host.logged = logged;
  host.loggedStep = logged[logged.length - STEP_FIELDS] as number;
}

/** The list of logged crashes, with those that were only counted on the host. */
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
 * Of `count` suppressed trap lines, those whose crashes were not logged by a dump either. The dumps of `kernel.print-fatal-signals` are not
 * rate-limited, so a crash whose trap line was suppressed is often known by its dump. Each dump stands for one suppressed line.
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
  const logged = loggedOf(host) ?? [];
  let crashes = 0;
  for (let i = 0; i < logged.length; i += STEP_FIELDS) {
    const start = (logged[i] as number) * STEP_SECONDS;
    if (start + STEP_SECONDS > from && start <= to) crashes += logged[i + 1] as number;
  }
  return crashes;
}
