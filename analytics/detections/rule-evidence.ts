import type { Instant } from '#schemas/events/accepted.ts';
import type { ConfigMismatch, SuppressedCallback } from '#schemas/events/event.ts';
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
  /** NaN when unknown. */
  readonly pid: number;
  /** Another source reported the crash before, with evidence of its own: it counts once. */
  readonly isKnown: boolean;
  /** A core dump or an audit record reports the crash, and no line of the kernel. */
  readonly isWitnessed: boolean;
}

/** A source other than the kernel explains an abort. */
export interface WitnessedAbort {
  readonly witness: AbortWitness;
  /** Another source reported the crash before: it counts once. */
  readonly isKnown: boolean;
  readonly time: Instant;
}

/**
 * The kinds of evidence that a rule can take in; it implements those it needs. Of one event the tracker calls `crash` or `abort` of every
 * rule in the order of the registry, then `dump` of every rule. Those of a program return whether it shows signs of probing: then it is
 * remembered longer than others. They set `touched` of an episode that took in the event to `context.sequence`; the tracker then counts
 * the crash and reports the revision. Those of a host call `context.revise` themselves.
 */
export interface RuleEvidence<Settings> {
  /** The traits of which a crash must have one for `crash` to be called. It must change nothing for other crashes. Default: every crash. */
  readonly crashTraits?: number;
  /** Whether crashes of programs of this name have the trait `watched`. Called once for each program. */
  watches?(name: string, settings: Settings): boolean;
  /** A trap line, or a dump of a fault that has an instruction pointer. */
  crash?(context: TrackerContext, program: Program, crash: RecordedCrash, settings: Settings): boolean;
  /** The dump of an abort. */
  abort?(context: TrackerContext, program: Program, dump: Dump, settings: Settings): boolean;
  /** A witness that explains an abort, which may be reported by itself too. */
  witness?(context: TrackerContext, program: Program, abort: WitnessedAbort, settings: Settings): boolean;
  /** The dump of a fault or an abort. */
  dump?(context: TrackerContext, program: Program, dump: Dump, settings: Settings): boolean;
  /** A line in which the kernel reports how many messages it suppressed. */
  suppressed?(context: TrackerContext, host: Host, event: SuppressedCallback, time: Instant, settings: Settings): void;
  /** A setting of the host that differs from what the detector set. */
  mismatch?(context: TrackerContext, host: Host, event: ConfigMismatch, time: Instant, settings: Settings): void;
  /** A detection of the host that opened or grew and that no exception covers; its own too. It calls `context.revise` itself. */
  detection?(context: TrackerContext, host: Host, episode: Episode, time: Instant, settings: Settings): void;
}
