import type { Severity } from '#schemas/detection.ts';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { addValue, covers, type Episode, openEpisode } from '../episode.ts';
import type { ReportedFault } from '../rule-evidence.ts';
import type { TrackerContext } from '../state/context.ts';
import { isInWindow, STRIDE } from '../state/crash-points.ts';
import { detachedCopy } from '../state/detached-copy.ts';
import type { Host, Program } from '../state/program.ts';
import { FAULT_KINDS, type FaultKind, judgeKernelFault } from './kernel-fault-kinds.ts';

const RULE = 'kernel-fault';
/** Maximum number of episodes kept per host. Senders choose the names freely. */
const MAX_EPISODES = 16;
const MAX_NAME = 128;
const MAX_REPORT = 200;
/** Third detail of an episode whose program had crashed before a fault. */
export const AFTER_CRASHES = 'after crashes';

interface FaultSettings {
  readonly window: number;
  readonly quiet: number;
  readonly minPlaces: number;
  readonly highPlaces: number;
}

/** What the rule knows of an episode. `detail` holds it as text. */
export interface FaultSummary {
  readonly kind: FaultKind;
  /** Severity of the worst fault alone. */
  readonly severity: Severity;
  readonly isAfterCrashes: boolean;
  readonly report: string;
}

/** Returns what an episode stores about its faults. */
export function summaryOf({ detail: [kind, severity, crashes, report = ''] }: Pick<Episode, 'detail'>): FaultSummary {
  return {
    kind: FAULT_KINDS.find((one) => one === kind) ?? 'fault',
    severity: SEVERITIES.find((one) => one === severity) ?? 'low',
    isAfterCrashes: crashes === AFTER_CRASHES,
    report,
  };
}

/**
 * Records a kernel fault. Faults in the context of a program are one episode for each program. Those in threads of the
 * kernel and in interrupts are one episode for each host, because they belong to no program.
 */
export function addKernelFault(
  context: TrackerContext,
  host: Host,
  { trap, program }: ReportedFault,
  time: Instant,
  rule: FaultSettings,
): void {
  const fault = judgeKernelFault(trap);
  const procname = fault.inProcess ? detachedCopy(trap.procname, MAX_NAME) : null;
  const sameProgram = host.episodes?.filter((one) => one.rule === RULE && one.procname === procname) ?? [];
  const open = sameProgram.find((one) => covers(one, time.seconds, rule.quiet));
  const episode = open ?? startEpisode(host, procname, time, fault.place, sameProgram);
  const crashed = fault.inProcess && hasCrashed(program, time.seconds, rule.window);
  episode.evidence += 1;
  addValue(episode, detachedCopy(`${fault.place} ${fault.address}`.trim(), MAX_NAME), context.limits.maxValues);
  const before = summaryOf(episode);
  const isWorse = episode.detail.length === 0 || rank(fault.severity) > rank(before.severity);
  episode.detail = [
    isWorse ? fault.kind : before.kind,
    isWorse ? fault.severity : before.severity,
    crashed || before.isAfterCrashes ? AFTER_CRASHES : '',
    isWorse ? detachedCopy(fault.report, MAX_REPORT) : before.report,
  ];
  context.revise(episode, time);
}

function startEpisode(
  host: Host,
  procname: string | null,
  time: Instant,
  place: string,
  sameProgram: readonly Episode[],
): Episode {
  const origin = { rule: RULE, hostname: host.name, program: null, register: null, place: 'kernel', first: time };
  const episode = openEpisode({ ...origin, value: `${procname ?? ''}\n${place}` }, { procname, file: null }, 0);
  const ended = sameProgram.find((one) => one.last.seconds < time.seconds);
  const others = (host.episodes ?? []).filter((one) => one !== ended);
  const own = others.filter((one) => one.rule === RULE);
  if (own.length >= MAX_EPISODES) {
    const stalest = own.reduce((a, b) => (b.touched < a.touched ? b : a));
    others.splice(others.indexOf(stalest), 1);
  }
  host.episodes = [...others, episode];
  return episode;
}

/** Returns true if the program itself crashed in the window before the fault, as exploits that prepare memory do. */
function hasCrashed(program: Program | undefined, t: number, window: number): boolean {
  if (program === undefined) return false;
  for (let i = 0; i * STRIDE < program.points.length; i += 1) if (isInWindow(program.points, i, t, window)) return true;
  return false;
}

/**
 * Returns the severity of all faults of an episode: that of the worst alone, higher after crashes of the program, and
 * higher if the faults move.
 */
export function severityOfFaults(episode: Episode, { minPlaces, highPlaces }: FaultSettings): Severity {
  const { kind, severity, isAfterCrashes } = summaryOf(episode);
  const isMoving = episode.values.size >= minPlaces;
  if (episode.procname === null) return isMoving ? (kind === 'fault' ? 'low' : 'medium') : severity;
  const raised = isAfterCrashes ? atLeast(severity, severity === 'low' ? 'medium' : 'high') : severity;
  if (!isMoving) return raised;
  // A broken pointer of one function also has a new address each time.
  const places = new Set([...episode.values].map((value) => value.split(' ')[0]));
  return atLeast(raised, places.size > 1 && episode.values.size >= highPlaces ? 'high' : 'medium');
}

function atLeast(a: Severity, b: Severity): Severity {
  return rank(a) >= rank(b) ? a : b;
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}
