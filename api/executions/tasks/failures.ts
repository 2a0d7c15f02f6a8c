import type { WorkflowError } from '../engine/port.ts';
import { ERROR_TYPES, TaskFailure } from '../engine/task-failure.ts';

/** Standard errors of the workflow language that a task outside can come to, with the status each has unless a better one is known. */
const STANDARD = {
  configuration: { status: 400, title: 'Configuration Error' },
  validation: { status: 400, title: 'Validation Error' },
  authentication: { status: 401, title: 'Authentication Error' },
  authorization: { status: 403, title: 'Authorization Error' },
  timeout: { status: 408, title: 'Timeout' },
  communication: { status: 502, title: 'Communication Error' },
  runtime: { status: 500, title: 'Runtime Error' },
} as const;
export type FailureKind = keyof typeof STANDARD;

/** A failure in the shape of RFC 9457. `detail` must hold no secret. */
export function taskFailure(
  kind: FailureKind,
  step: string,
  detail: string,
  { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
): TaskFailure {
  const error: WorkflowError = {
    type: `${ERROR_TYPES}${kind}`,
    status: status ?? STANDARD[kind].status,
    title: STANDARD[kind].title,
    detail,
    instance: step,
  };
  return new TaskFailure(error, cause === undefined ? {} : { cause });
}
