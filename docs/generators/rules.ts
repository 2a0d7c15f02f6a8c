import { catalogue } from '#analytics/detections/catalogue.ts';
import { rulesMarkdown } from '#deploy/cli/commands/rules.ts';
import { generatedPage } from './markdown.ts';

/** The page of detection rules, from the files in `analytics/detections/rules/`. */
export function rulesPage(): string {
  const introduction =
    'Each rule with its ATT&CK techniques, thresholds and runbook. `trapline rules` prints the same with the thresholds that are in effect.';
  return `${generatedPage('Detection rules', introduction)}\n${rulesMarkdown(catalogue()).replace(/^# Rules\n\n/, '')}`;
}
