import { type StandardError, standardError } from '../engine/standard-error.ts';
import { TaskFailure } from '../engine/task-failure.ts';

/** What a task outside can come to. */
export type FailureKind = Exclude<StandardError, 'expression'>;

/** The other side failed. */
const COMMUNICATION_STATUS = 502;

/** A failure in the words of the workflow language. `detail` must hold no secret. */
export function taskFailure(
  kind: FailureKind,
  step: string,
  detail: string,
  { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
): TaskFailure {
  const error = standardError(
    kind,
    detail,
    step,
    status ?? (kind === 'communication' ? COMMUNICATION_STATUS : undefined),
  );
  return new TaskFailure(error, cause === undefined ? {} : { cause });
}
