import { PARTS_TEXT } from '../../parts/text.ts';
import type { OutputFilter } from './output.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.filter;

/** The filter of an output as text. `titleOf`: the name of a rule by its id. */
export function filterText(
  { minSeverity, rules, hosts, causes, cases }: OutputFilter,
  titleOf: (rule: string) => string,
): string {
  const parts = [
    minSeverity && TEXT.severity(PARTS_TEXT.severities[minSeverity]),
    rules?.map(titleOf).join(TEXT.or),
    hosts && TEXT.hosts(hosts),
    causes && TEXT.causes(causes.map((cause) => OUTPUT_TEXT.form.causes[cause])),
    cases && TEXT.cases(cases.map((cause) => OUTPUT_TEXT.form.caseCauses[cause])),
  ].filter(Boolean);
  return parts.length === 0 ? TEXT.everything : parts.join('; ');
}
