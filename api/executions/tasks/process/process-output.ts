import type { ProcessReturn } from '../../engine/port.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';

/** What a process left. */
export interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Of each stream. */
export const MAX_OUTPUT_BYTES = 2 ** 20;
const MAX_DETAIL = 500;

/** The output of a process as its task asks for it. A process that fails fails the task, unless its code is part of the output. */
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
