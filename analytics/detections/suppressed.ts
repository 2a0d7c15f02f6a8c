import type { Instant } from '#schemas/events/accepted.ts';
import type { SuppressedCallback } from '#schemas/events/v1.ts';
import { compareInstants, covers, type Episode, openEpisode } from './episode.ts';
import { isCrashPrinter, isSuppressedBurst } from './rules/suppressed-crash-burst.ts';
import type { TrackerContext } from './state/context.ts';
import type { Host } from './state/program.ts';

/** A host's unexplained suppressed callbacks, flat: seconds, nanoseconds, count. The oldest arrival gives way. */
const FIELDS = 3;
const MAX_PENDING = 32 * FIELDS;
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

/** Takes in suppressed callbacks: to the open probe they accompany, else to the burst rule. */
export function addSuppressed(context: TrackerContext, host: Host, event: SuppressedCallback, time: Instant): void {
  if (!isCrashPrinter(event.function_name)) return;
  const rule = context.settings.rules['suppressed-crash-burst'];
  // Beyond 2^53 nobody counts: the sum stays a safe integer.
  const count = Math.min(Number(event.count), 2 ** 40);
  if (count === 0) return;
  const probe = accompanied(host.probes, time, rule.explainedWithin);
  if (probe !== undefined) {
    probe.suppressed += count;
    context.revise(probe, time);
    return;
  }
  const open = host.episodes?.find((e) => e.rule === 'suppressed-crash-burst' && covers(e, time.seconds, rule.quiet));
  if (open !== undefined) {
    open.suppressed += count;
    open.evidence += 1;
    context.revise(open, time);
    return;
  }
  host.suppressed ??= [];
  if (host.suppressed.length >= MAX_PENDING) host.suppressed.splice(0, FIELDS);
  host.suppressed.push(time.seconds, time.nanos, count);
  if (rule.enabled) judgeBurst(context, host, time);
}

/** Suppressed callbacks between an episode's first evidence and its opening belong to it. */
export function claimSuppressed(host: Host, episode: Episode, opened: Instant): void {
  if (host.suppressed === undefined) return;
  const left: number[] = [];
  for (let i = 0; i < host.suppressed.length; i += FIELDS) {
    const [seconds, nanos, count] = host.suppressed.slice(i, i + FIELDS) as [number, number, number];
    const time = { seconds, nanos };
    if (compareInstants(time, episode.first) >= 0 && compareInstants(time, opened) <= 0) episode.suppressed += count;
    else left.push(seconds, nanos, count);
  }
  host.suppressed = left.length === 0 ? undefined : left;
}

/** The most recently active of the probes around the time. */
function accompanied(probes: readonly Episode[] | undefined, time: Instant, within: number): Episode | undefined {
  let best: Episode | undefined;
  for (const probe of probes ?? []) {
    if (!covers(probe, time.seconds, within)) continue;
    // A line printed before the first evidence tells of crashes before it.
    if (compareInstants(time, probe.first) < 0) continue;
    if (best === undefined || probe.touched > best.touched) best = probe;
  }
  return best;
}

function judgeBurst(context: TrackerContext, host: Host, time: Instant): void {
  const rule = context.settings.rules['suppressed-crash-burst'];
  const t = time.seconds;
  const pending = host.suppressed ?? [];
  let suppressed = 0;
  let evidence = 0;
  let first = time;
  let firstCount = 0;
  for (let i = 0; i < pending.length; i += FIELDS) {
    const at = { seconds: pending[i] as number, nanos: pending[i + 1] as number };
    if (at.seconds > t || at.seconds <= t - rule.window) continue;
    suppressed += pending[i + 2] as number;
    evidence += 1;
    if (compareInstants(at, first) < 0 || firstCount === 0) {
      first = at;
      firstCount = pending[i + 2] as number;
    }
  }
  const logged = loggedSince(host, t - rule.window, t);
  if (!isSuppressedBurst({ suppressed, logged }, rule)) return;
  const episode = openEpisode(
    {
      rule: 'suppressed-crash-burst',
      hostname: host.name,
      program: null,
      register: null,
      place: 'host',
      first,
      value: String(firstCount),
    },
    { procname: null, file: null },
    evidence,
  );
  episode.suppressed = suppressed;
  episode.crashes = logged;
  host.suppressed = undefined;
  host.episodes = [...(host.episodes ?? []).filter((e) => e.rule !== 'suppressed-crash-burst'), episode];
  context.revise(episode, time);
}

function loggedSince(host: Host, from: number, to: number): number {
  const { logged = [] } = host;
  let crashes = 0;
  for (let i = 0; i < logged.length; i += 2) {
    const start = (logged[i] as number) * STEP_SECONDS;
    if (start + STEP_SECONDS > from && start <= to) crashes += logged[i + 1] as number;
  }
  return crashes;
}
