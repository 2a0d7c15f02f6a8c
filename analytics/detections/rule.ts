import type { z } from 'zod';
import type { Attack, Severity } from '#schemas/detection.ts';
import type { EventType } from '#schemas/events/event.ts';
import type { Episode } from './episode.ts';
import type { Risk } from './risk/score.ts';
import type { RuleEvidence } from './rule-evidence.ts';

/** Instructions for an analyst who handles a detection of the rule. */
export interface Runbook {
  /** In the recommended order. */
  readonly nextChecks: readonly string[];
  /** Common causes that look the same and are no attack, and how to recognise them. */
  readonly falsePositives: readonly string[];
}

/** An attack that the rule does not detect. */
export interface RuleEvasion {
  readonly evasion: string;
  /** Cost of the evasion for the attacker. */
  readonly price: string;
  /** The cost as the duration of the attack in days; null if the cost is not time. */
  readonly days: number | null;
}

/**
 * Statistics of the rule with its default thresholds on an ordinary host. An ordinary host runs programs with up to 15
 * faults each, of which at most one per month causes a crash loop. The figures follow from the stated model, and tests
 * recompute them.
 */
export interface RuleStatistics {
  /** Crashes of ordinary programs: the model from which the false alarms are computed. */
  readonly baseRate: string;
  /** Expected number on an ordinary host. */
  readonly falseAlarmsPerMonth: number;
  /** Event outside the model that causes a false alarm each time it happens; null if none is known. */
  readonly falseAlarmForEach: string | null;
  /** Known evasions with their cost, cheapest first. */
  readonly evasions: readonly RuleEvasion[];
}

/**
 * Description of a rule. `version` increases when the rule judges the same evidence differently. The id never changes.
 */
export interface RuleMetadata {
  /** Name of the rule's file, in lower case with hyphens. */
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly severity: Severity;
  /** Possible values of `register` in its detections. Empty if it has none. */
  readonly registers: readonly string[];
  readonly attack: readonly Attack[];
  readonly summary: string;
  readonly runbook: Runbook;
  readonly statistics: RuleStatistics;
}

/**
 * Thresholds of a rule, whether it is enabled, and the severity of its detections (`auto`: depends on the evidence).
 */
export type RuleSettings<Thresholds extends z.ZodObject> = z.output<Thresholds> & {
  readonly enabled: boolean;
  readonly severity: Severity | 'auto';
};

/** Parts of an episode as strings, for messages. */
export interface EpisodeWords {
  /** Name of the program, or `a program`. */
  readonly program: string;
  /** ` on HOST`, or an empty string if the host is unknown. */
  readonly where: string;
  /** `N crashes`, including those that the kernel did not log. */
  readonly crashes: string;
  /** Number of distinct evidence values. */
  readonly distinct: number;
}

/**
 * One detection rule. Its file contains everything about it, and the registry finds the file. The functions of a rule
 * are pure: no clock, no I/O, no random numbers.
 */
export interface Rule<Thresholds extends z.ZodObject = z.ZodObject> extends RuleMetadata {
  /** Position in lists, from 1. Rules without one follow, ordered by id. */
  readonly order?: number;
  /**
   * Operator settings with their defaults and ranges. Times are seconds of event time. `quiet` is required: it ends
   * episodes.
   */
  readonly thresholds: Thresholds;
  /** Handlers that process events, and open and extend episodes. Not called while the rule is disabled. */
  readonly evidence: RuleEvidence<RuleSettings<Thresholds>>;
  /**
   * True if `evidence` is also called while the rule is disabled. It then reads `enabled` itself. Needed if other rules
   * rely on what it stores.
   */
  readonly fedWhenDisabled?: boolean;
  /**
   * True if its detections cover several hosts. Their `hostname` is null, and their evidence is that of the file on all
   * hosts.
   */
  readonly acrossHosts?: boolean;
  /**
   * Events that are the evidence of its detections. Default: `crashes` of the program, or of the host if the detection
   * names no program.
   */
  readonly restsOn?: RuleEvents;
  /** Current severity of an episode. It never falls within an episode. Default: `severity`. */
  severityOf?(episode: Episode, settings: RuleSettings<Thresholds>): Severity;
  /** Hosts of an episode that covers several of them. */
  hostsOf?(episode: Episode): { readonly hosts: readonly string[]; readonly total: number };
  /** Risk of the host that the episode reports. */
  riskOf?(episode: Episode): Risk;
  /** Explains the episode in plain words, with its figures. */
  message(episode: Episode, words: EpisodeWords): string;
  /**
   * Returns true if the event contains the register of the rule's episodes, for `FullEvents`. Default: every
   * fatal-signal dump.
   */
  showsIn?(event: EventType): boolean;
}

/** Selects the events that are evidence of detections, for links to exactly these events. */
export interface RuleEvents {
  /**
   * `crashes`: crashes, and the suppressed messages of the kernel functions that print them. `image`: the same, for all
   * process names of the image. `settings`: changed settings of the kernel. `faults`: faults of the kernel itself.
   * `all`: all events of the host.
   */
  readonly kind: 'crashes' | 'image' | 'settings' | 'faults' | 'all';
  /** Seconds by which evidence can be older than the first evidence that the detection names. Default 0. */
  readonly before?: number;
}

/** Declares a rule, with the exact type of its thresholds in its functions. */
export function defineRule<Thresholds extends z.ZodObject>(rule: Rule<Thresholds>): Rule<Thresholds> {
  return rule;
}
