import type { Severity } from '#schemas/detection.ts';
import { ruleById } from './catalogue.ts';
import { type Episode, valuesTotal } from './episode.ts';
import type { DetectionSettings } from './settings.ts';

/** The severity an episode has by now: its rule's, raised by the amount of evidence. It never falls within an episode. */
export function severityOf(episode: Episode, settings: DetectionSettings): Severity {
  const { rules } = settings;
  const attempts = episode.crashes + episode.suppressed;
  switch (episode.rule) {
    case 'instruction-pointer-probe': {
      const { criticalDistinct, criticalCrashes } = rules[episode.rule];
      return valuesTotal(episode) >= criticalDistinct || attempts >= criticalCrashes ? 'critical' : 'high';
    }
    case 'register-value-probe':
      return valuesTotal(episode) >= rules[episode.rule].criticalDistinct ? 'critical' : 'high';
    case 'stack-canary-probe':
      return episode.evidence >= rules[episode.rule].criticalAborts ? 'critical' : 'high';
    case 'suppressed-crash-burst':
      return episode.suppressed >= rules[episode.rule].highSuppressed ? 'high' : 'medium';
    case 'detector-tampering':
      return ruleById(episode.rule).severity;
  }
}
