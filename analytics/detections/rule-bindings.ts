import type { Severity } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import type { ConfigMismatch, SuppressedCallback } from '#schemas/events/event.ts';
import type { Episode } from './episode.ts';
import type { PlaceThresholds, RecordedCrash } from './evidence/crash-places.ts';
import { CRASH_TRAITS, neededTraits, traitsOf } from './evidence/crash-traits.ts';
import type { Dump, ReportedFault, RuleEvidence, WitnessedAbort } from './rule-evidence.ts';
import { RULES } from './rule-registry.ts';
import { rule as instructionPointerProbe } from './rules/instruction-pointer-probe.ts';
import { type AnyRuleSettings, type DetectionSettings, settingsOfRule } from './settings.ts';
import type { TrackerContext } from './state/context.ts';
import type { Host, Program } from './state/program.ts';

/**
 * The enabled rules of one tracker. Each kind of evidence is passed to every rule that handles it, in the order of the
 * registry.
 */
export interface BoundRules {
  /** Returns true if a rule watches programs of this name, and so receives each of their crashes. */
  watches(name: string): boolean;
  /** Returns true if a rule sees signs of probing. The same holds for `abort`, `witness` and `dump`. */
  crash(program: Program, crash: RecordedCrash): boolean;
  abort(program: Program, dump: Dump): boolean;
  witness(program: Program, abort: WitnessedAbort): boolean;
  dump(program: Program, dump: Dump): boolean;
  suppressed(host: Host, event: SuppressedCallback, time: Instant): void;
  mismatch(host: Host, event: ConfigMismatch, time: Instant): void;
  kernelFault(host: Host, fault: ReportedFault, time: Instant): void;
  detection(host: Host, episode: Episode, time: Instant): void;
  /** Returns the current severity of an episode: that of its rule, raised by the amount of evidence. */
  severityOf(episode: Episode): Severity;
  /** Returns the seconds without evidence after which an episode ends. */
  quietOf(episode: Episode): number;
}

/** Binds the enabled rules to their settings and to the state of a tracker. */
export function bindRules(settings: DetectionSettings, context: TrackerContext): BoundRules {
  const all = RULES.map((rule) => ({ rule, own: settingsOfRule(settings, rule.id) }));
  const fed = all.filter(({ rule, own }) => own.enabled || rule.fedWhenDisabled === true);
  const byId = new Map(all.map((bound) => [bound.rule.id, bound]));

  /** Binding of the episode used last. Each event of an open probe looks up the same rule several times. */
  let latest: (typeof all)[number] | undefined;

  function ruleOf({ rule: id }: Episode): (typeof all)[number] {
    if (latest?.rule.id === id) return latest;
    const bound = byId.get(id);
    if (bound === undefined) throw new RangeError(`there is no rule ${id}`);
    latest = bound;
    return bound;
  }

  /** Returns the rules that handle this kind of evidence. Computed once, not per event. */
  function handlersOf<Kind extends keyof RuleEvidence<AnyRuleSettings>>(kind: Kind) {
    return fed.flatMap(({ rule: { evidence }, own }) => {
      const take = evidence[kind];
      return take === undefined ? [] : [{ take, own }];
    });
  }
  const crash = fed.flatMap(({ rule: { evidence }, own }) =>
    evidence.crash === undefined ? [] : [{ take: evidence.crash, own, needed: neededTraits(evidence.crashTraits) }],
  );
  const neededByAny = crash.reduce((all, { needed }) => all | needed, 0);
  const [abort, dump, watches] = [handlersOf('abort'), handlersOf('dump'), handlersOf('watches')];
  const witnesses = handlersOf('witness');
  const [suppressed, mismatch] = [handlersOf('suppressed'), handlersOf('mismatch')];
  const [faults, detections] = [handlersOf('kernelFault'), handlersOf('detection')];

  return {
    watches: (name) => watches.some(({ take, own }) => take(name, own)),
    crash(program, evidence) {
      const traits = traitsOf(program, evidence);
      if ((traits & neededByAny) === 0) return false;
      let promising = false;
      for (let i = 0; i < crash.length; i += 1) {
        const { take, own, needed } = crash[i] as (typeof crash)[number];
        // A rule earlier in the list may have opened an episode.
        const present = program.episodes === undefined ? traits : traits | CRASH_TRAITS.episodes;
        if ((present & needed) !== 0 && take(context, program, evidence, own)) promising = true;
      }
      return promising;
    },
    abort(program, evidence) {
      let promising = false;
      for (const { take, own } of abort) if (take(context, program, evidence, own)) promising = true;
      return promising;
    },
    witness(program, evidence) {
      let promising = false;
      for (const { take, own } of witnesses) if (take(context, program, evidence, own)) promising = true;
      return promising;
    },
    dump(program, evidence) {
      let promising = false;
      for (const { take, own } of dump) if (take(context, program, evidence, own)) promising = true;
      return promising;
    },
    suppressed(host, event, time) {
      for (const { take, own } of suppressed) take(context, host, event, time, own);
    },
    mismatch(host, event, time) {
      for (const { take, own } of mismatch) take(context, host, event, time, own);
    },
    kernelFault(host, fault, time) {
      for (const { take, own } of faults) take(context, host, fault, time, own);
    },
    detection(host, episode, time) {
      for (const { take, own } of detections) take(context, host, episode, time, own);
    },
    severityOf(episode) {
      const { rule, own } = ruleOf(episode);
      if (own.severity !== 'auto') return own.severity;
      return rule.severityOf?.(episode, own) ?? rule.severity;
    },
    quietOf: (episode) => ruleOf(episode).own.quiet,
  };
}

/**
 * Returns the thresholds for crash places. Places are kept for the window of the rule for instruction pointers, whose
 * evidence they are.
 */
export function placeThresholds(settings: DetectionSettings): PlaceThresholds {
  return instructionPointerProbe.thresholds.parse(thresholdsOf(settingsOfRule(settings, instructionPointerProbe.id)));
}

function thresholdsOf({ enabled: _, severity: __, ...thresholds }: AnyRuleSettings) {
  return thresholds;
}
