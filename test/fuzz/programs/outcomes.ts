import type { Case } from './cases/case.ts';

/** Outcome of a case. `limit`: a limit of the service ended it. */
export type OutcomeName = 'refused' | 'completed' | 'failed' | 'limit' | 'cancelled' | 'interrupted';

export interface Outcome {
  readonly case: Case;
  readonly outcome: OutcomeName;
}

const LIMIT =
  /takes (?:too )?long|took longer|computes for longer|takes longer|too much|larger than|more than|at most|too deep|too large|calls itself too|needs more/i;

/** Classifies a failure: a limit of the service, or an error of the program. */
export function failureName(text: string): 'limit' | 'failed' {
  return LIMIT.test(text) || /errors\/timeout/.test(text) ? 'limit' : 'failed';
}

/** Errors of JavaScript and of libraries, which no message to a user may contain. */
const INTERNAL =
  /Cannot read propert|is not a function|is not iterable|ReferenceError|TypeError|RangeError|Maximum call stack|Invalid string length|Invalid array length|node:internal|\n\s+at |\/api\/executions\/|\.ts:\d+|\[object Object\]|unreachable|memory access out of bounds|table index|ECONNREFUSED|ENOENT|syntax error at or near|invalid input syntax|violates /;

/**
 * Returns the part of an error text that belongs in a log and not in a message to a user; undefined if no part does.
 */
export function internalText(text: string): string | undefined {
  const found = INTERNAL.exec(text);
  return found === null ? undefined : text.slice(Math.max(0, found.index - 80), found.index + 160);
}
