import type { Instant } from '#schemas/events/accepted.ts';
import type { ConfigMismatch, KernelTrap, SuppressedCallback } from '#schemas/events/event.ts';
import type { Episode } from './episode.ts';
import type { AbortWitness } from './evidence/abort-witnesses.ts';
import type { RecordedCrash } from './evidence/crash-places.ts';
import type { TrackerContext } from './state/context.ts';
import type { Host, Program } from './state/program.ts';

/** One fatal-signal dump. */
export interface Dump {
  readonly registers: Readonly<Record<string, string>>;
  readonly isAbort: boolean;
  readonly time: Instant;
  /** NaN if unknown. */
  readonly pid: number;
  /** True if another source already reported the crash with its own evidence. The crash counts once. */
  readonly isKnown: boolean;
  /** True if a core dump or an audit record reports the crash and the kernel did not log it. */
  readonly isWitnessed: boolean;
}

/** A source other than the kernel explains an abort. */
export interface WitnessedAbort {
  readonly witness: AbortWitness;
  /** True if another source already reported the crash. The crash counts once. */
  readonly isKnown: boolean;
  readonly time: Instant;
}

/** A fault that the kernel reports about itself. It is no crash, so the rules for crashes do not receive it. */
export interface ReportedFault {
  readonly trap: KernelTrap;
  /** The program of the same name, if the tracker knows crashes of it. */
  readonly program: Program | undefined;
}

/**
 * The kinds of evidence that a rule can handle. A rule implements those it needs. For one event, the tracker calls
 * `crash` or `abort` of every rule in the order of the registry, then `dump` of every rule. The handlers for programs
 * return true if the program shows signs of probing; such a program is kept longer. They set `touched` of an episode
 * that the event extended to `context.sequence`. The tracker then counts the crash and reports the revision. The
 * handlers for hosts call `context.revise` themselves.
 */
export interface RuleEvidence<Settings> {
  /**
   * Trait mask: `crash` is called only for crashes with at least one of these traits. It must have no effect for other
   * crashes. Default: every crash.
   */
  readonly crashTraits?: number;
  /** Returns true if crashes of programs of this name have the trait `watched`. Called once per program. */
  watches?(name: string, settings: Settings): boolean;
  /** A trap line, or a dump of a fault that contains an instruction pointer. */
  crash?(context: TrackerContext, program: Program, crash: RecordedCrash, settings: Settings): boolean;
  /** The dump of an abort. */
  abort?(context: TrackerContext, program: Program, dump: Dump, settings: Settings): boolean;
  /** A witness that explains an abort. The abort may be reported separately too. */
  witness?(context: TrackerContext, program: Program, abort: WitnessedAbort, settings: Settings): boolean;
  /** The dump of a fault or an abort. */
  dump?(context: TrackerContext, program: Program, dump: Dump, settings: Settings): boolean;
  /** A line in which the kernel reports how many messages it suppressed. */
  suppressed?(context: TrackerContext, host: Host, event: SuppressedCallback, time: Instant, settings: Settings): void;
  /** A setting of the host that differs from the value that the detector set. */
  mismatch?(context: TrackerContext, host: Host, event: ConfigMismatch, time: Instant, settings: Settings): void;
  kernelFault?(context: TrackerContext, host: Host, fault: ReportedFault, time: Instant, settings: Settings): void;
  /**
   * A detection of the host that opened or grew and that no exception covers, including detections of this rule. The
   * handler calls `context.revise` itself.
   */
  detection?(context: TrackerContext, host: Host, episode: Episode, time: Instant, settings: Settings): void;
}
