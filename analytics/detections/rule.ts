import type { z } from 'zod';
import type { Attack, Severity } from '#schemas/detection.ts';
import type { EventType } from '#schemas/events/event.ts';
import type { Episode } from './episode.ts';
import type { Risk } from './risk/score.ts';
import type { RuleEvidence } from './rule-evidence.ts';

/** What an analyst does with a detection of the rule. */
export interface Runbook {
  /** In the order in which they are worth doing. */
  readonly nextChecks: readonly string[];
  /** What usually looks like this and is not an attack, and how to decide. */
  readonly falsePositives: readonly string[];
}

/** A way to attack that the rule does not find. */
export interface RuleEvasion {
  readonly evasion: string;
  /** Cost of the evasion for the attacker. */
  readonly price: string;
  /** The price as days that the attack then takes; null where it is not paid in time. */
  readonly days: number | null;
}

/**
 * What the rule rests on, for its default thresholds and an ordinary host: programs with up to 15 faults each, of which at most one a month goes
 * into a crash loop. The figures follow from the stated model; tests compute them again.
 */
export interface RuleStatistics {
  /** What ordinary programs do, as the model that false alarms are computed from. */
  readonly baseRate: string;
  /** Expected on an ordinary host. */
  readonly falseAlarmsPerMonth: number;
  /** What raises a false alarm each time it happens, beyond the model; null when nothing is known to. */
  readonly falseAlarmForEach: string | null;
  /** Known evasions with their price, the cheapest first. */
  readonly evasions: readonly RuleEvasion[];
}

/** What is said about a rule. `version` grows when the same evidence is judged differently; the id never changes. */
export interface RuleMetadata {
  /** Name of the rule's file, in lower case with hyphens. */
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly severity: Severity;
  /** `register` of its detections: the names it can take; empty when it has none. */
  readonly registers: readonly string[];
  readonly attack: readonly Attack[];
  readonly summary: string;
  readonly runbook: Runbook;
  readonly statistics: RuleStatistics;
}

/** Values of a rule's thresholds, whether the rule is on, and the severity of its detections (`auto`: by the evidence). */
export type RuleSettings<Thresholds extends z.ZodObject> = z.output<Thresholds> & {
  readonly enabled: boolean;
  readonly severity: Severity | 'auto';
};

/** Parts of an episode as text, for messages. */
export interface EpisodeWords {
  /** Name of the program, or `a program`. */
  readonly program: string;
  /** ` on HOST`, or nothing when the host is unknown. */
  readonly where: string;
  /** `N crashes`, with those that the kernel did not log. */
  readonly crashes: string;
  /** Number of distinct evidence values. */
  readonly distinct: number;
}

/**
 * One detection rule: everything about it is in one file, which the registry finds.
 * Its functions are pure: no clock, no I/O, no random numbers.
 */
export interface Rule<Thresholds extends z.ZodObject = z.ZodObject> extends RuleMetadata {
  /** Place in lists, from 1. Rules without one follow, by id. */
  readonly order?: number;
  /** Operator settings with their defaults and ranges; times in seconds of event time. `quiet` is required: it ends episodes. */
  readonly thresholds: Thresholds;
  /** Takes in events, opens episodes and extends them. Not called while the rule is switched off. */
  readonly evidence: RuleEvidence<RuleSettings<Thresholds>>;
  /** `evidence` is called while the rule is switched off too, and reads `enabled` itself: other rules rely on what it keeps. */
  readonly fedWhenDisabled?: boolean;
  /** Its detections belong to several hosts: their `hostname` is null, and their evidence is that of the file on all hosts. */
  readonly acrossHosts?: boolean;
  /** Events that its detections rest on. Default: `crashes` of the program, or of the host if the detection names none. */
  readonly restsOn?: RuleEvents;
  /** Severity of an episode by now. It never falls within an episode. Default: `severity`. */
  severityOf?(episode: Episode, settings: RuleSettings<Thresholds>): Severity;
  /** Hosts of an episode that belongs to several of them. */
  hostsOf?(episode: Episode): { readonly hosts: readonly string[]; readonly total: number };
  /** Risk of the host that the episode reports. */
  riskOf?(episode: Episode): Risk;
  /** What the episode means, in plain words and with its figures. */
  message(episode: Episode, words: EpisodeWords): string;
  /** Whether the event shows the register of the rule's episodes, for `FullEvents`. Default: every fatal-signal dump. */
  showsIn?(event: EventType): boolean;
}

/** Kinds of events that detections rest on, for links to exactly these events. */
export interface RuleEvents {
  /**
   * `crashes` with the suppressed messages of the kernel functions that print them; `image`: the same, whatever the processes of the image are
   * called; changed `settings` of the kernel; or `all` events of the host.
   */
  readonly kind: 'crashes' | 'image' | 'settings' | 'all';
  /** Evidence can be this much older than the first evidence that the detection names, seconds. Default 0. */
  readonly before?: number;
}

/** Gives a rule's functions the exact type of its thresholds. */
export function defineRule<Thresholds extends z.ZodObject>(rule: Rule<Thresholds>): Rule<Thresholds> {
  return rule;
}
