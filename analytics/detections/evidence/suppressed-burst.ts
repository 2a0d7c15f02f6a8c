import type { Instant } from '#schemas/events/accepted.ts';
import type { SuppressedCallback } from '#schemas/events/event.ts';
import { compareInstants, findOpen, openEpisode } from '../episode.ts';
import type { TrackerContext } from '../state/context.ts';
import type { Host } from '../state/program.ts';
import { isCrashPrinter, isDumpPrinter } from './crash-printers.ts';
import { accompanied, keepPending, loggedSince, PENDING_FIELDS, withoutDumped } from './suppressed-messages.ts';

/** Thresholds that this evidence uses. */
interface BurstSettings {
  readonly enabled: boolean;
  readonly window: number;
  readonly quiet: number;
  readonly minSuppressed: number;
  readonly minRatio: number;
  readonly explainedWithin: number;
}

/** Assigns suppressed callbacks to the open probe around their time, else to the burst rule. */
export function addSuppressed(
  context: TrackerContext,
  host: Host,
  event: SuppressedCallback,
  time: Instant,
  rule: BurstSettings,
): void {
  if (!isCrashPrinter(event.function_name)) return;
  // The limit keeps sums within safe integers.
  const suppressed = Math.min(Number(event.count), 2 ** 40);
  const count = isDumpPrinter(event.function_name) ? suppressed : withoutDumped(host, time, suppressed);
  if (count === 0) return;
  const probe = accompanied(host.probes, time, rule.explainedWithin);
  if (probe !== undefined) {
    probe.suppressed += count;
    context.revise(probe, time);
    return;
  }
  const open = findOpen(host.episodes, 'suppressed-crash-burst', time.seconds, rule.quiet);
  if (open !== undefined) {
    open.suppressed += count;
    open.evidence += 1;
    context.revise(open, time);
    return;
  }
  keepPending(host, time, count);
  if (rule.enabled) judgeBurst(context, host, time, rule);
}

function judgeBurst(context: TrackerContext, host: Host, time: Instant, rule: BurstSettings): void {
  const t = time.seconds;
  const pending = host.suppressed ?? [];
  let suppressed = 0;
  let evidence = 0;
  let first = time;
  let firstCount = 0;
  for (let i = 0; i < pending.length; i += PENDING_FIELDS) {
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
  if (suppressed < rule.minSuppressed || suppressed < rule.minRatio * logged) return;
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
