import type { Answer } from '../../api/operations.ts';
import { EXCEPTIONS_TEXT } from './text.ts';

const TEXT = EXCEPTIONS_TEXT.subject;

export type Exception = Answer<'get', '/api/exceptions'>['data'][number];
export type ExceptionState = 'active' | 'expired' | 'removed';

export function stateOfException(
  { endedAt, expires }: Pick<Exception, 'endedAt' | 'expires'>,
  now = Date.now(),
): ExceptionState {
  if (endedAt !== null) return 'removed';
  return expires !== null && Date.parse(expires) <= now ? 'expired' : 'active';
}

/**
 * Returns the subject of an exception as text: `Stack canary probe, host build-1`, or `rule stack-*`. `titleOf`:
 * returns the name of a rule by its id, and a pattern unchanged.
 */
export function subjectText(subject: ExceptionSubject, titleOf: (rule: string) => string): string {
  const { rule, program, file, hostname } = subject;
  const parts = [
    rule && (titleOf(rule) === rule ? TEXT.rule(rule) : titleOf(rule)),
    program && TEXT.program(program),
    file && TEXT.file(file),
    hostname && TEXT.host(hostname),
  ].filter(Boolean);
  return parts.length === 0 ? TEXT.nothing : parts.join(', ');
}

export interface ExceptionSubject {
  readonly hostname?: string | null | undefined;
  readonly program?: string | null | undefined;
  readonly file?: string | null | undefined;
  readonly rule?: string | null | undefined;
}
