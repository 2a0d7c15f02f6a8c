import { type StandardError, standardError } from '../engine/contract/standard-error.ts';
import { TaskFailure } from '../engine/contract/task-failure.ts';

/** Failures of an external task. */
export type FailureKind = Exclude<StandardError, 'expression'>;

/** Status for a failure of the called service. */
const COMMUNICATION_STATUS = 502;

/** Returns a failure as an error of the workflow language. `detail` must not contain secrets. */
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
