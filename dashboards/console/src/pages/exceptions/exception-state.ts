import type { Answer } from '../../api/operations.ts';

export type Exception = Answer<'get', '/api/exceptions'>['data'][number];
export type ExceptionState = 'holds' | 'expired' | 'taken away';

export function stateOfException(
  { endedAt, expires }: Pick<Exception, 'endedAt' | 'expires'>,
  now = Date.now(),
): ExceptionState {
  if (endedAt !== null) return 'taken away';
  return expires !== null && Date.parse(expires) <= now ? 'expired' : 'holds';
}

/** What it is about, in the order in which people say it. */
export function subjectText(subject: {
  readonly hostname?: string | null | undefined;
  readonly program?: string | null | undefined;
  readonly file?: string | null | undefined;
  readonly rule?: string | null | undefined;
}): string {
  const { rule, program, file, hostname } = subject;
  const parts = [
    rule && `rule ${rule}`,
    program && `program ${program}`,
    file && `file ${file}`,
    hostname && `host ${hostname}`,
  ].filter(Boolean);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
