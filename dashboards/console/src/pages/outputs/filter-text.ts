import { SEVERITIES, type Severity } from '#schemas/detection-terms.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import type { OutputFilter } from './output.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.filter;

/** Returns `High and above`. For the highest severity: `Critical`. */
export function severityFromText(severity: Severity): string {
  const name = PARTS_TEXT.severities[severity];
  return severity === SEVERITIES.at(-1) ? name : TEXT.severity(name);
}

/** Returns the filter of an output as text. `titleOf`: returns the name of a rule by its id. */
export function filterText(
  { minSeverity, rules, hosts, causes, cases }: OutputFilter,
  titleOf: (rule: string) => string,
): string {
  const parts = [
    minSeverity && severityFromText(minSeverity),
    rules?.map(titleOf).join(TEXT.or),
    hosts && TEXT.hosts(hosts),
    causes && TEXT.causes(causes.map((cause) => OUTPUT_TEXT.form.causes[cause])),
    cases && TEXT.cases(cases.map((cause) => OUTPUT_TEXT.form.caseCauses[cause])),
  ].filter(Boolean);
  return parts.length === 0 ? TEXT.everything : parts.join('; ');
}
