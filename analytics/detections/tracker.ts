import { ABORT_SIGNAL, FAULT_SIGNALS } from '#schemas/crash.ts';
import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import type { FatalSignal, KernelTrap } from '#schemas/events/event.ts';
import { viewDetection } from './detection-view.ts';
import { covers, type Episode } from './episode.ts';
import { exceptionSubject } from './episode-object.ts';
import { explainsAbort, witnessOf } from './evidence/abort-witnesses.ts';
import { type FedCrash, PRINTED_DUMP, PRINTED_TRAP, recordCrash, wasTrapped } from './evidence/crash-places.ts';
import {
  areRegistersExplained,
  isExplained,
  isExplainedNearby,
  isOverrunFunction,
  rememberExplained,
} from './evidence/explained-faults.ts';
import { countLogged, type LoggedLine } from './evidence/suppressed-messages.ts';
import { withEvent } from './evidence-events.ts';
import { createExceptionFinder } from './exception.ts';
import { dumpOfTrap, locateSignal, mappingOfSignal } from './merged-crash.ts';
import { createOutbox } from './outbox.ts';
import { createProcessAgreement } from './process-agreement.ts';
import { bindRules, placeThresholds } from './rule-bindings.ts';
import { type DetectionSettings, longestWindow } from './settings.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { parseRegister } from './state/address.ts';
import { forgetProbe, type TrackerContext } from './state/context.ts';
import type { Host, Program } from './state/program.ts';
import { createImageKeys, dumpImage, rememberImage, trapImage } from './state/program-image.ts';
import { nameDumped, nameTrapped } from './state/program-name.ts';
import { locateTrap } from './state/program-spaces.ts';
import { createProgramStore } from './state/program-store.ts';
import { type CrashLine, createSeenLines } from './state/seen-lines.ts';
import { textNumber } from './state/text-number.ts';
import type { Tracker } from './tracker-port.ts';

/** Kinds of lines besides those of crashes. */
const PRINTED_COUNT = 2;
const REPORTED_SETTING = 3;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

const FAULTS: ReadonlySet<string> = new Set(FAULT_SIGNALS);

/**
 * Runs the rules over one partition's events: see `tracker-port.ts` for the contract.
 * Long: its functions share the stores of one partition.
 */
export function createTracker(settings: DetectionSettings): Tracker {
  const findException = createExceptionFinder(settings.exceptions);
  const isSilenced = (episode: Episode): boolean =>
    settings.exceptions.length > 0 && findException(exceptionSubject(episode)) !== null;
  const outbox = createOutbox((episode) => viewDetection(episode, findException, settings.justification), isSilenced);
  /** The host of the event being fed. */
  let fedHost: Host;
  const processes = createProcessAgreement(longestWindow(settings));
  const store = createProgramStore(settings.limits, forgetEpisodesOf);
  const context: TrackerContext = { limits: settings.limits, sequence: 0, evidence: undefined, revise };
  const seen = createSeenLines();
  /** Both are of the event being fed, and filled again for the next one: every crash needs them. */
  const image = createImageKeys();
  const line: Writable<CrashLine> = { host: 0, seconds: 0, nanos: 0, pid: Number.NaN, pointer: 0, kind: 0 };
  const rules = bindRules(settings, context);
  const places = placeThresholds(settings);

  function revise(episode: Episode, time: Instant): void {
    if (context.evidence !== undefined && episode.register !== null) episode.events = context.evidence;
    processes.take(episode);
    episode.severity = rules.severityOf(episode);
    outbox.revised(episode, time, context.sequence);
    if (!isSilenced(episode)) rules.detection(fedHost, episode, time);
  }

  /** With the justification `full`: keeps the event with its program, for the episodes it is evidence of. */
  function keepEvidence(program: Program, accepted: AcceptedEvent): void {
    if (settings.justification !== 'full') return;
    program.events = withEvent(program.events, accepted);
    context.evidence = program.events;
  }

  /** At-least-once delivery repeats lines: the same time, process and place is the same crash. */
  function isRepeat({ born }: Host, { seconds, nanos }: Instant, pid: number, pointer: number, kind: number): boolean {
    line.host = born;
    line.seconds = seconds;
    line.nanos = nanos;
    line.pid = pid;
    line.pointer = pointer;
    line.kind = kind;
    return seen.isRepeat(line);
  }

  function feedTrap(host: Host, trap: KernelTrap, accepted: AcceptedEvent): void {
    const { time } = accepted;
    const pid = Number(trap.pid);
    if (isRepeat(host, time, pid, Number(trap.ip), PRINTED_TRAP)) return;
    trapImage(trap, image);
    const program = store.program(host, nameTrapped(host, trap, image), trap.procname);
    rememberImage(host, image, program.name);
    keepEvidence(program, accepted);
    processes.note(program, trap, time);
    const at = locateTrap(program, trap.ip, trap);
    const shown = isExplained(trap);
    if (shown) rememberExplained(program, at, trap);
    const explained = isOverrunFunction(program, at, trap, shown) || shown;
    // All properties in one literal, here and for a dump: rules then see crashes of one shape.
    const crash: FedCrash = {
      at,
      time,
      pid,
      printed: PRINTED_TRAP,
      trap,
      registers: undefined,
      explained,
      counted: true,
      fresh: false,
    };
    const promising = feedCrash(program, crash);
    settle(program, time, promising, crash.counted ? 'trap' : 'trap of a dump');
    const dump = dumpOfTrap(trap);
    if (dump !== undefined) feedSignal(host, { ...dump, process: trap.process }, accepted);
  }

  /** Records the crash, sets what is known of it then, and lets the rules judge it. Returns whether one of them sees signs of probing. */
  function feedCrash(program: Program, crash: FedCrash): boolean {
    const outcome = recordCrash(context, program, crash, places);
    crash.counted = outcome.counted;
    crash.fresh = outcome.fresh;
    return rules.crash(program, crash);
  }

  function feedSignal(host: Host, signal: FatalSignal, accepted: AcceptedEvent): void {
    const { time } = accepted;
    const isFault = FAULTS.has(signal.signal);
    if (!isFault && signal.signal !== ABORT_SIGNAL) return;
    const dump = signal.stack_dump;
    const comm = dump.Comm ?? '';
    const pid = dump.PID === undefined ? Number.NaN : Number(dump.PID);
    const pointer = parseRegister(dump.RIP ?? dump.pc);
    if (isRepeat(host, time, pid, pointer?.offset ?? 0, PRINTED_DUMP)) return;
    dumpImage(dump, mappingOfSignal(signal), image);
    const program = store.program(host, nameDumped(host, comm, image), comm);
    rememberImage(host, image, program.name);
    keepEvidence(program, accepted);
    processes.note(program, signal, time);
    const witness = witnessOf(signal);
    if (explainsAbort(witness)) {
      settle(program, time, rules.witness(program, { witness, time }));
      return;
    }
    const evidence = { registers: dump, isAbort: !isFault, time, pid };
    let counted = true;
    let promising = false;
    let explained = false;
    // Without registers a witness cannot show that two aborts are of one image.
    if (!isFault) promising = witness === undefined && rules.abort(program, evidence);
    else if (pointer !== undefined) {
      const at = locateSignal(program, signal, pointer);
      explained = isExplainedNearby(program, at, dump);
      const crash: FedCrash = {
        at,
        time,
        pid,
        printed: PRINTED_DUMP,
        trap: undefined,
        registers: dump,
        explained,
        counted: true,
        fresh: false,
      };
      promising = feedCrash(program, crash);
      counted = crash.counted;
      explained ||= areRegistersExplained(program, at);
    } else counted = !wasTrapped(program, pid, time);
    // Where data ended, its registers move with the data.
    if (!explained && rules.dump(program, evidence)) promising = true;
    settle(program, time, promising, counted ? (isFault ? 'dump' : 'abort') : undefined);
  }

  /** Counts the crash in the program's open episodes, and reports those that took in something. */
  function settle(program: Program, time: Instant, promising: boolean, line?: LoggedLine): void {
    if (line !== undefined) countLogged(program.host, time, line);
    const counted = line !== undefined && line !== 'trap of a dump';
    if (program.episodes !== undefined) countCrash(program.episodes, time, counted);
    store.settle(program, counted, promising || program.episodes !== undefined);
  }

  function countCrash(episodes: readonly Episode[], time: Instant, counted: boolean): void {
    for (const episode of episodes) {
      const grown = episode.touched === context.sequence;
      const counts = counted && episode.revision > 0 && covers(episode, time.seconds, rules.quietOf(episode));
      if (counts) episode.crashes += 1;
      if (counts || grown) context.revise(episode, time);
    }
  }

  const state = () => ({ contents: store.contents, pending: outbox.pending, seen, sequence: context.sequence });

  return {
    feed(accepted: AcceptedEvent) {
      const { event, time } = accepted;
      context.sequence += 1;
      context.evidence = undefined;
      processes.next();
      const body = event.event;
      if (body.type === 'RegisterProbe') return;
      const host = store.host(event.hostname ?? null);
      fedHost = host;
      switch (body.type) {
        case 'LinuxKernelTrap':
          return feedTrap(host, body, accepted);
        case 'LinuxFatalSignal':
          return feedSignal(host, body, accepted);
        case 'LinuxSuppressedCallback':
          if (isRepeat(host, time, Number(body.count), textNumber(body.function_name), PRINTED_COUNT)) return;
          return rules.suppressed(host, body, time);
        case 'ConfigMismatch':
          if (isRepeat(host, time, textNumber(body.observed_value), textNumber(body.key), REPORTED_SETTING)) return;
          return rules.mismatch(host, body, time);
      }
    },
    drain: outbox.drain,
    snapshot: () => writeSnapshot(state()),
    restore(chunks) {
      const restored = state();
      readSnapshot(chunks, restored);
      context.sequence = restored.sequence;
    },
    stats: () => ({ ...store.stats(), openEpisodes: countOpen(store.contents.hosts.values()) }),
  };
}

function countOpen(hosts: Iterable<Host>): number {
  let open = 0;
  for (const host of hosts) open += (host.probes?.length ?? 0) + (host.episodes?.length ?? 0);
  return open;
}

function forgetEpisodesOf(program: Program): void {
  for (const episode of [...(program.episodes ?? [])] as Episode[]) forgetProbe(program, episode);
}
