import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask } from './external-task.ts';

/** The part of a run that its external tasks receive. */
export interface TaskContext {
  /** Aborts when the step or the execution ends, or the lease is lost. */
  readonly signal: AbortSignal;
  /** Stays the same when an attempt is repeated after a crash. Differs for each retry. */
  readonly idempotencyKey: string;
  readonly executionId: string;
  readonly workflowId: string;
  readonly ownerId: string | null;
  readonly step: string;
  readonly attempt: number;
  readonly requestId: string | null;
  /** Span of the task in the distributed trace; undefined if it is not recorded. */
  readonly trace?: TraceContext | undefined;
  /** Depth of the execution in its causal chain. */
  readonly causation: number;
  /** Names of the secrets that the definition declares. */
  readonly secretNames: readonly string[];
}

/**
 * Runs one external task once; the definition decides about retries. Resolves to the output. Rejects with
 * `TaskFailure`, which the definition may catch, or with the reason of the signal if it aborts. Any other rejection is
 * an internal error, which is redacted.
 */
export type RunTask = (
  task: Exclude<ExternalTask, { kind: 'workflow' | 'worker' }>,
  context: TaskContext,
) => Promise<JsonValue>;
