import { z } from 'zod';
import { formatInstant, parseTimestamp } from '#schemas/events/timestamp.ts';
import { matchesGlob } from './glob.ts';
import { RULES } from './rule-registry.ts';
import { USER_RULE_PREFIX } from './user-rules/user-rule-id.ts';

const glob = z.string().min(1).max(512).describe('`*` any text, `?` one character; all of the value must match');

/** Fields of an exception, without its id. */
export const exceptionFields = {
  hostname: glob.optional(),
  program: glob.optional().describe('Process name or program'),
  file: glob.optional(),
  rule: glob.optional(),
  expires: z
    .string()
    .refine((text) => parseTimestamp(text) !== undefined, 'not an RFC 3339 date-time')
    .nullable()
    .default(null)
    .describe('Compared with the time of the evidence, not of the day it is read'),
  reason: z.string().min(1).max(2000),
} as const;

/** An operator's decision to silence detections. Silenced detections are stored with the exception's id. */
export const detectionExceptionSchema = z
  .strictObject({ id: z.string().min(1).max(128), ...exceptionFields })
  .refine((e) => [e.hostname, e.program, e.file, e.rule].some((part) => part !== undefined), {
    message: 'an exception names at least one of hostname, program, file and rule',
  })
  .refine(
    ({ rule }) =>
      rule === undefined || rule.startsWith(USER_RULE_PREFIX) || RULES.some(({ id }) => matchesGlob(rule, id)),
    {
      message: 'no rule matches',
      path: ['rule'],
    },
  );

export type DetectionException = z.output<typeof detectionExceptionSchema>;

/** Fields of a detection that an exception matches. */
export interface ExceptionSubject {
  readonly rule: string;
  readonly hostname: string | null;
  readonly programs: readonly string[];
  readonly file: string | null;
  /** Time of the latest evidence: RFC 3339, UTC, nine digits. This form sorts as a string. */
  readonly lastSeen: string;
}

/**
 * Creates a function that returns the id of the first exception that covers a detection at its latest evidence, or
 * null.
 */
export function createExceptionFinder(
  exceptions: readonly DetectionException[],
): (subject: ExceptionSubject) => string | null {
  const compiled = exceptions.map((exception) => {
    const expires = exception.expires === null ? undefined : parseTimestamp(exception.expires);
    return { exception, expires: expires === undefined ? undefined : formatInstant(expires) };
  });
  return (subject) => {
    const found = compiled.find(
      ({ exception, expires }) =>
        (expires === undefined || subject.lastSeen < expires) &&
        covers(exception.rule, subject.rule) &&
        covers(exception.hostname, subject.hostname) &&
        covers(exception.file, subject.file) &&
        (exception.program === undefined || subject.programs.some((name) => covers(exception.program, name))),
    );
    return found?.exception.id ?? null;
  };
}

function covers(pattern: string | undefined, value: string | null): boolean {
  return pattern === undefined || (value !== null && matchesGlob(pattern, value));
}
