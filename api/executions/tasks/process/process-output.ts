import type { ProcessReturn } from '../../engine/contract/process-task.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';

/** Result of a process. */
export interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Maximum size of each output stream. */
export const MAX_OUTPUT_BYTES = 2 ** 20;
const MAX_DETAIL = 500;

/**
 * Returns the output of a process in the requested form. A failed process fails the task, unless its exit code is part
 * of the output.
 */
export function processOutput(result: ProcessResult, asked: ProcessReturn, what: string, step: string): JsonValue {
  const { code, stdout, stderr } = result;
  if (asked === 'code') return code;
  if (asked === 'all') return { code, stdout, stderr };
  if (code !== 0) {
    const said = (stderr.trim() === '' ? stdout : stderr).trim().slice(-MAX_DETAIL);
    throw taskFailure('runtime', step, `${what} ended with the code ${code}${said === '' ? '' : `: ${said}`}`);
  }
  return asked === 'none' ? null : asked === 'stderr' ? stderr : stdout;
}
