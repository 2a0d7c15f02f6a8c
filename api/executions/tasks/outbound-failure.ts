import type { OutboundFailure, OutboundFailureReason } from '#api/outbound/port.ts';
import type { TaskFailure } from '../engine/contract/task-failure.ts';
import { type FailureKind, taskFailure } from './failures.ts';
import type { TaskContext } from './port.ts';

/**
 * Errors of the workflow language for a failed exchange. A refusal by the guard is not a communication error, because a
 * retry cannot succeed.
 */
const FAILURES: Readonly<Record<Exclude<OutboundFailureReason, 'aborted'>, { kind: FailureKind; status: number }>> = {
  forbidden_url: { kind: 'authorization', status: 403 },
  forbidden_header: { kind: 'authorization', status: 403 },
  forbidden_address: { kind: 'authorization', status: 403 },
  unresolvable: { kind: 'communication', status: 502 },
  unreachable: { kind: 'communication', status: 503 },
  untrusted_server: { kind: 'communication', status: 502 },
  certificate_refused: { kind: 'authentication', status: 401 },
  timeout: { kind: 'timeout', status: 408 },
  too_large: { kind: 'communication', status: 502 },
  broken_response: { kind: 'communication', status: 502 },
};

/**
 * Returns the failure of a task whose exchange failed. If the exchange was aborted, throws the reason of the signal, or
 * the failure itself.
 */
export function outboundFailure(error: OutboundFailure, { signal, step }: TaskContext, asked: string): TaskFailure {
  signal.throwIfAborted();
  if (error.reason === 'aborted') throw error;
  const { kind, status } = FAILURES[error.reason];
  return taskFailure(kind, step, `${asked}: ${error.message}`, { status });
}
