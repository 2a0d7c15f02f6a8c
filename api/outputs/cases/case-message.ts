import type { z } from 'zod';
import type { CaseCause } from '#api/cases/case-cause.ts';
import type { caseSchema } from '#schemas/api/cases.ts';

/** One message about a case. */
export interface CaseMessage {
  /** The same in every delivery of this message: the case, the number of its history entry, and the cause. */
  readonly id: string;
  readonly cause: CaseCause;
  /** When its cause occurred. */
  readonly at: Date;
  /** The case in its state at the time of sending. */
  readonly case: z.output<typeof caseSchema>;
  /** URL of the case in the console. */
  readonly link: string;
}

/**
 * Returns the message for JSON receivers on one line: `{id, type, time, case, link}`. `case` is an object of GET
 * /api/cases.
 */
export function caseMessageJson({ id, cause, at, case: of, link }: CaseMessage): string {
  return JSON.stringify({ id, type: `case.${cause}`, time: at.toISOString(), case: of, link });
}
