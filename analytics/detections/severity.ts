import type { Severity } from '#schemas/detection.ts';
import type { Episode } from './episode.ts';
import { ruleById } from './rule-registry.ts';
import { type DetectionSettings, settingsOfRule } from './settings.ts';

/** The severity an episode has by now: its rule's, raised by the amount of evidence. */
export function severityOf(episode: Episode, settings: DetectionSettings): Severity {
  const rule = ruleById(episode.rule);
  return rule.severityOf?.(episode, settingsOfRule(settings, rule.id)) ?? rule.severity;
}
