import type { Body } from '../../api/operations.ts';
import { defined } from '../../parts/defined.ts';
import { timeOfInput } from '../../parts/time/time-input.ts';

export type ExceptionRequest = Body<'post', '/api/exceptions'>;
export type PreviewRequest = Body<'post', '/api/exceptions/preview'>;

/** Values of the form. */
export interface ExceptionDraft {
  readonly hostname: string;
  readonly program: string;
  readonly file: string;
  readonly rule: string;
  /** Value of a `datetime-local` input in the selected time zone. Empty: never. */
  readonly expires: string;
}

/** Returns the API request, without empty fields. */
export function requestOf({ hostname, program, file, rule, expires }: ExceptionDraft): PreviewRequest {
  const given = Object.entries({ hostname, program, file, rule })
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '');
  return { ...Object.fromEntries(given), ...defined({ expires: timeOfInput(expires) }) };
}

/** Returns true if at least one field is set. The API rejects an exception that would silence everything. */
export function hasSubject({ hostname, program, file, rule }: ExceptionDraft): boolean {
  return [hostname, program, file, rule].some((value) => value.trim() !== '');
}
