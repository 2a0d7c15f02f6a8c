import type { Body } from '../../api/operations.ts';

export type ExceptionRequest = Body<'post', '/api/exceptions'>;
export type PreviewRequest = Body<'post', '/api/exceptions/preview'>;

/** The form, as it is filled in. */
export interface ExceptionDraft {
  readonly hostname: string;
  readonly program: string;
  readonly file: string;
  readonly rule: string;
  /** Of an input for a day and time, in the reader's zone; empty: for good. */
  readonly expires: string;
}

/** What the API is asked for: what is empty is not part of it. */
export function requestOf({ hostname, program, file, rule, expires }: ExceptionDraft): PreviewRequest {
  const given = Object.entries({ hostname, program, file, rule })
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '');
  return { ...Object.fromEntries(given), ...(expires === '' ? {} : { expires: new Date(expires).toISOString() }) };
}

/** Whether it says what it is about; the API refuses one that silences everything. */
export function saysWhat({ hostname, program, file, rule }: ExceptionDraft): boolean {
  return [hostname, program, file, rule].some((value) => value.trim() !== '');
}
