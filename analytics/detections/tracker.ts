import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import type { KernelTrap } from '#schemas/events/event.ts';
import { isKernelFault } from '#schemas/kernel-fault.ts';
import { createCrashFeed } from './crash-feed.ts';
import { viewDetection } from './detection-view.ts';
import type { Episode } from './episode.ts';
import { exceptionSubject } from './episode-object.ts';
import { isOfType } from './event-type.ts';
import { createExceptionFinder } from './exception.ts';
import { createOutbox } from './outbox.ts';
import { createProcessAgreement } from './process-agreement.ts';
import { bindRules } from './rule-bindings.ts';
import { type DetectionSettings, longestWindow } from './settings.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { forgetProbe, type TrackerContext } from './state/context.ts';
import type { Host, Program } from './state/program.ts';
import { nameKnown } from './state/program-name.ts';
import { createProgramStore } from './state/program-store.ts';
import { createRecentCrashes } from './state/recent-crashes.ts';
import { createRepeatCheck, createSeenLines } from './state/seen-lines.ts';
import { textNumber } from './state/text-number.ts';
import { createWaitingEvents } from './state/waiting-events.ts';
import type { Tracker } from './tracker-port.ts';

/** Kinds of lines other than crash lines. */
const PRINTED_COUNT = 2;
const REPORTED_SETTING = 3;
const REPORTED_FAULT = 4;

/** Creates a tracker, which runs the rules over one partition's events. See `tracker-port.ts` for the contract. */
export function createTracker(settings: DetectionSettings): Tracker {
  const findException = createExceptionFinder(settings.exceptions);
  const isSilenced = (episode: Episode): boolean =>
    settings.exceptions.length > 0 && findException(exceptionSubject(episode)) !== null;
  const outbox = createOutbox((episode) => viewDetection(episode, findException, settings.justification), isSilenced);
  /** Host of the current event. */
  let fedHost: Host;
  const processes = createProcessAgreement(longestWindow(settings));
  const store = createProgramStore(settings.limits, forgetEpisodesOf);
  const context: TrackerContext = { limits: settings.limits, sequence: 0, evidence: undefined, revise };
  const seen = createSeenLines();
  const recent = createRecentCrashes();
  const isRepeat = createRepeatCheck(seen);
  const rules = bindRules(settings, context);
  const crashes = createCrashFeed({ settings, context, store, rules, processes, recent, isRepeat });

  function revise(episode: Episode, time: Instant): void {
    if (context.evidence !== undefined && episode.register !== null) episode.events = context.evidence;
    processes.take(episode);
    episode.severity = rules.severityOf(episode);
    outbox.revised(episode, time, context.sequence);
    if (!isSilenced(episode)) rules.detection(fedHost, episode, time);
  }

  function judge(accepted: AcceptedEvent, probableHost: Host | undefined, probableProgram: Program | undefined): void {
    const { event, time } = accepted;
    context.sequence += 1;
    context.evidence = undefined;
    processes.next();
    const body = event.event;
    if (isOfType(body, 'RegisterProbe')) return;
    const host = store.host(event.hostname ?? null, probableHost);
    fedHost = host;
    if (isOfType(body, 'LinuxKernelTrap')) {
      if (isKernelFault(body)) feedFault(host, body, time);
      else crashes.feedTrap(host, body, accepted, probableProgram);
    } else if (isOfType(body, 'LinuxFatalSignal')) crashes.feedSignal(host, body, accepted, probableProgram);
    else if (isOfType(body, 'LinuxSuppressedCallback')) {
      if (isRepeat(host, time, Number(body.count), textNumber(body.function_name), PRINTED_COUNT)) return;
      rules.suppressed(host, body, time);
    } else if (!isRepeat(host, time, textNumber(body.observed_value), textNumber(body.key), REPORTED_SETTING))
      rules.mismatch(host, body, time);
  }

  function feedFault(host: Host, trap: KernelTrap, time: Instant): void {
    if (isRepeat(host, time, Number(trap.pid), textNumber(faultText(trap)), REPORTED_FAULT)) return;
    rules.kernelFault(host, { trap, program: store.find(host, nameKnown(host, trap.procname)) }, time);
  }

  const waiting = createWaitingEvents(store, judge);
  /** Judges all buffered events, then returns the result. */
  function judged<Result>(result: () => Result): Result {
    waiting.judge();
    return result();
  }

  const state = () => ({ contents: store.contents, pending: outbox.pending, seen, recent, sequence: context.sequence });

  return {
    feed: waiting.add,
    hasAnnouncements: () => judged(outbox.hasAnnouncements),
    drain: () => judged(outbox.drain),
    snapshot: () => judged(() => writeSnapshot(state())),
    restore(chunks) {
      const restored = state();
      readSnapshot(chunks, restored);
      context.sequence = restored.sequence;
    },
    stats: () => judged(() => ({ ...store.stats(), openEpisodes: countOpen(store.contents.hosts.values()) })),
  };
}

/** Returns a text that distinguishes the faults of one time and process. */
function faultText({ trap, ip, sp }: KernelTrap): string {
  const what = trap.type === 'Segfault' ? trap.location : trap.type === 'Generic' ? trap.description : trap.type;
  return `${what} ${ip} ${sp}`;
}

function countOpen(hosts: Iterable<Host>): number {
  let open = 0;
  for (const host of hosts) open += (host.probes?.length ?? 0) + (host.episodes?.length ?? 0);
  return open;
}

function forgetEpisodesOf(program: Program): void {
  for (const episode of [...(program.episodes ?? [])] as Episode[]) forgetProbe(program, episode);
}
