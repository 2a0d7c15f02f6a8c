import type { CellValue } from '../../parts/values/value-columns.tsx';
import type { ExceptionSubject } from './exception-state.ts';
import { EXCEPTIONS_TEXT } from './text.ts';

const FIELDS = EXCEPTIONS_TEXT.form.fields;
/** Matches a pattern for several values. */
const WILDCARD = /[*?]/;

/**
 * Returns the subject of an exception, value by value. A pattern identifies no single host, program or rule. `titleOf`:
 * returns the name of a rule by its id.
 */
export function subjectValues(
  { rule, program, file, hostname }: ExceptionSubject,
  titleOf: (rule: string) => string,
): readonly CellValue[] {
  const value = (name: string, label: string, pattern: string | null | undefined): CellValue => ({
    name: pattern && WILDCARD.test(pattern) ? 'pattern' : name,
    label,
    value: pattern,
  });
  const values = [
    { ...value('rule', FIELDS.rule.label, rule), shown: rule && titleOf(rule) },
    value('procname', FIELDS.program.label, program),
    value('file', FIELDS.file.label, file),
    value('hostname', FIELDS.hostname.label, hostname),
  ];
  return values.filter((one) => Boolean(one.value));
}
