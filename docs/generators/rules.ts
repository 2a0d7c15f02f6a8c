import { catalogue } from '#analytics/detections/catalogue.ts';
import { rulesMarkdown } from '#deploy/cli/commands/rules.ts';
import { generatedPage } from './markdown.ts';

/** The page of detection rules, from the files in `analytics/detections/rules/`. */
export function rulesPage(): string {
  const introduction =
    'Each rule with its ATT&CK techniques, thresholds, runbook and statistics. `trapline rules --output markdown` prints the same with the thresholds that are in effect. The statistics hold for the default thresholds and an ordinary host: programs with up to 15 faults each, of which at most one a month goes into a crash loop. They follow from the stated model and are not measured on production hosts. [What the rules miss](../concepts/evasions.md) lists all known evasions.';
  return `${generatedPage('Detection rules', introduction)}\n${rulesMarkdown(catalogue()).replace(/^# Rules\n\n/, '')}`;
}
