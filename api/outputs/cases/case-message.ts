import type { z } from 'zod';
import type { CaseCause } from '#api/cases/case-cause.ts';
import type { caseSchema } from '#schemas/api/cases.ts';

/** One message about a case. */
export interface CaseMessage {
  /** The same in every delivery of this message: the case, the number of the entry in its history, and the cause. */
  readonly id: string;
  readonly cause: CaseCause;
  /** When its cause occurred. */
  readonly at: Date;
  /** As it is when it is sent. */
  readonly case: z.output<typeof caseSchema>;
  /** Address of its page. */
  readonly link: string;
}

/** What JSON receivers get, on one line: `{id, type, time, case, link}`. `case` is an object of GET /api/cases. */
export function caseMessageJson({ id, cause, at, case: of, link }: CaseMessage): string {
  return JSON.stringify({ id, type: `case.${cause}`, time: at.toISOString(), case: of, link });
}
