import { ABORT_SIGNAL, FAULT_SIGNALS } from '#schemas/crash.ts';
import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import type { FatalSignal, KernelTrap } from '#schemas/events/event.ts';
import { createCrashCounter } from './crash-counter.ts';
import { type AbortWitness, explainsAbort, witnessOf } from './evidence/abort-witnesses.ts';
import { createFedCrash, PRINTED_DUMP, PRINTED_TRAP, recordCrash, wasTrapped } from './evidence/crash-places.ts';
import { isBreakpoint } from './evidence/deliberate-traps.ts';
import {
  areRegistersExplained,
  isExplained,
  isExplainedNearby,
  isOverrunFunction,
  rememberExplained,
} from './evidence/explained-faults.ts';
import { LOGGED } from './evidence/suppressed-messages.ts';
import { noteFileNames } from './evidence/unmapped-places.ts';
import { withEvent } from './evidence-events.ts';
import { dumpOfTrap, locateSignal, mappingOfSignal } from './merged-crash.ts';
import type { ProcessAgreement } from './process-agreement.ts';
import { type BoundRules, placeThresholds } from './rule-bindings.ts';
import type { DetectionSettings } from './settings.ts';
import { type Address, putRegister, toDouble } from './state/address.ts';
import type { TrackerContext } from './state/context.ts';
import { isLibrary } from './state/library-name.ts';
import type { Host, Program } from './state/program.ts';
import { createImageKeys, dumpImage, rememberImage, trapImage } from './state/program-image.ts';
import { nameDumped, nameTrapped } from './state/program-name.ts';
import { locateTrap } from './state/program-spaces.ts';
import type { ProgramStore } from './state/program-store.ts';
import { REPORTED_BY, type RecentCrashes, type ReportedBy } from './state/recent-crashes.ts';
import type { RepeatCheck } from './state/seen-lines.ts';

const FAULTS: ReadonlySet<string> = new Set(FAULT_SIGNALS);

/** Dependencies that a tracker shares with its crash feed. */
interface CrashFeedParts {
  readonly settings: DetectionSettings;
  readonly context: TrackerContext;
  readonly store: ProgramStore;
  readonly rules: BoundRules;
  readonly processes: ProcessAgreement;
  readonly recent: RecentCrashes;
  readonly isRepeat: RepeatCheck;
}

/** Passes crashes from events to the programs, their crash places and the rules. */
interface CrashFeed {
  /** `probable`: the program that the crash probably belongs to, as a hint for the lookup. */
  feedTrap(host: Host, trap: KernelTrap, accepted: AcceptedEvent, probable?: Program): void;
  feedSignal(host: Host, signal: FatalSignal, accepted: AcceptedEvent, probable?: Program): void;
}

/** Creates the crash feed of one tracker. Long: every crash takes the same steps, whichever line reports it. */
export function createCrashFeed(parts: CrashFeedParts): CrashFeed {
  const { settings, context, store, rules, processes, isRepeat } = parts;
  const { reportedBefore, byWitness, settle } = createCrashCounter(parts);
  const places = placeThresholds(settings);
  /** Image keys of the current event. Reused for every event, because every crash needs them. */
  const image = createImageKeys();
  const crash = createFedCrash();
  const trapped: Address = { space: 0, offset: 0 };
  const dumped: Address = { space: 0, offset: 0 };

  /** With the justification `full`, stores the event with its program, for the episodes that use it as evidence. */
  function keepEvidence(program: Program, accepted: AcceptedEvent): void {
    if (settings.justification !== 'full') return;
    program.events = withEvent(program.events, accepted);
    context.evidence = program.events;
  }

  function feedTrap(host: Host, trap: KernelTrap, accepted: AcceptedEvent, probable?: Program): void {
    const { time } = accepted;
    const pid = toDouble(trap.pid);
    if (isRepeat(host, time, pid, toDouble(trap.ip), PRINTED_TRAP)) return;
    const inLibrary = typeof trap.file === 'string' && isLibrary(trap.file);
    noteFileNames(host, trap);
    trapImage(trap, inLibrary, image);
    const program = store.program(host, nameTrapped(host, trap, inLibrary, image), trap.procname, probable);
    rememberImage(host, image, program);
    keepEvidence(program, accepted);
    processes.note(program, trap, time);
    const at = locateTrap(program, trap.ip, trap, trapped);
    const shown = isExplained(trap);
    if (shown) rememberExplained(program, at, trap);
    crash.at = at;
    crash.time = time;
    crash.pid = pid;
    crash.printed = PRINTED_TRAP;
    crash.trap = trap;
    crash.registers = undefined;
    crash.explained = isOverrunFunction(program, at, trap, shown) || shown || isBreakpoint(trap);
    const promising = feedCrash(program);
    const before = crash.counted ? reportedBefore(program, pid, time, REPORTED_BY.kernel) : undefined;
    const isNew = crash.counted && before === undefined;
    settle(program, time, promising, isNew ? LOGGED.crash : LOGGED.trapOfDump, isNew || before === REPORTED_BY.witness);
    const dump = dumpOfTrap(trap);
    if (dump !== undefined) feedSignal(host, { ...dump, process: trap.process }, accepted, program);
  }

  /**
   * Records the crash, updates what depends on it, and lets the rules judge it. Returns true if a rule sees signs of
   * probing.
   */
  function feedCrash(program: Program): boolean {
    program.isWatched ??= rules.watches(program.name);
    const outcome = recordCrash(context, program, crash, places);
    crash.counted = outcome.counted;
    crash.fresh = outcome.fresh;
    return rules.crash(program, crash);
  }

  function feedSignal(host: Host, signal: FatalSignal, accepted: AcceptedEvent, probable?: Program): void {
    const { time } = accepted;
    const isFault = FAULTS.has(signal.signal);
    if (!isFault && signal.signal !== ABORT_SIGNAL) return;
    const dump = signal.stack_dump;
    const comm = dump.Comm ?? '';
    const pid = dump.PID === undefined ? Number.NaN : Number(dump.PID);
    const pointer = putRegister(dump.RIP ?? dump.pc, dumped) ? dumped : undefined;
    if (isRepeat(host, time, pid, pointer?.offset ?? 0, PRINTED_DUMP)) return;
    const mapping = mappingOfSignal(signal);
    dumpImage(dump, mapping, image);
    const program = store.program(host, nameDumped(host, comm, image), comm, probable);
    rememberImage(host, image, program);
    keepEvidence(program, accepted);
    processes.note(program, signal, time);
    const witness = witnessOf(signal);
    if (explainsAbort(witness)) {
      feedExplanation(program, witness, time, pid);
      return;
    }
    const by =
      witness === undefined && (pointer !== undefined || !isFault) ? REPORTED_BY.kernel : byWitness(program, time);
    let counted = true;
    let promising = false;
    let explained = false;
    let before: ReportedBy | undefined;
    if (!isFault) before = reportedBefore(program, pid, time, by);
    const isWitnessed = witness !== undefined;
    const evidence = {
      registers: dump,
      isAbort: !isFault,
      time,
      pid,
      isKnown: before === REPORTED_BY.canary,
      isWitnessed,
    };
    if (!isFault) promising = !(isWitnessed && before !== undefined) && rules.abort(program, evidence);
    else if (pointer !== undefined) {
      const at = locateSignal(program, mapping, pointer);
      explained = isExplainedNearby(program, at, dump);
      crash.at = at;
      crash.time = time;
      crash.pid = pid;
      crash.printed = PRINTED_DUMP;
      crash.trap = undefined;
      crash.registers = dump;
      crash.explained = explained;
      promising = feedCrash(program);
      counted = crash.counted;
      explained ||= areRegistersExplained(program, at);
    } else counted = !wasTrapped(program, pid, time);
    if (isFault && counted) before = reportedBefore(program, pid, time, by);
    const isNew = counted && before === undefined;
    // The crash was reported before, but no open detection counted it.
    const isUncounted = by === REPORTED_BY.kernel && before === REPORTED_BY.witness;
    // When a copy runs past the end of its data, its registers move with the data.
    if (!explained && rules.dump(program, evidence)) promising = true;
    const line = isFault ? LOGGED.dump : LOGGED.crash;
    settle(program, time, promising, isNew ? line : undefined, isNew || isUncounted);
  }

  /**
   * Processes what a witness reports about an abort. A changed canary is a crash too. A failed assertion may be handled
   * by the program.
   */
  function feedExplanation(program: Program, witness: AbortWitness, time: Instant, pid: number): void {
    if (witness === 'assertion') {
      settle(program, time, rules.witness(program, { witness, time, isKnown: false }), undefined, false);
      return;
    }
    const isKnown = reportedBefore(program, pid, time, REPORTED_BY.canary) !== undefined;
    const promising = rules.witness(program, { witness, time, isKnown });
    settle(program, time, promising, isKnown ? undefined : LOGGED.crash, !isKnown);
  }

  return { feedTrap, feedSignal };
}
