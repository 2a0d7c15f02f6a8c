import { catalogue } from '#analytics/detections/catalogue.ts';
import { rulesMarkdown } from '#deploy/cli/commands/rules.ts';
import { generatedPage } from './markdown.ts';

/** The page of detection rules, from the files in `analytics/detections/rules/`. */
export function rulesPage(): string {
  const introduction =
    'Each rule with its runbook, benign causes, evasions, expected false alarms, thresholds and ATT&CK techniques. `trapline rules --output markdown` prints the same with the thresholds in effect. The false alarms are for the default thresholds and an ordinary host: its programs have up to 15 faults each, and at most one program a month goes into a crash loop. They follow from the stated base rates and are not measured on production hosts. [What the rules miss](../concepts/evasions.md) lists all known evasions.';
  return `${generatedPage('Detection rules', introduction)}\n${rulesMarkdown(catalogue()).replace(/^# Rules\n\n/, '')}`;
}
