import type { ExternalTask, StepPath } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';

/** What a task has to know of the run it belongs to. */
export interface TaskContext {
  readonly executionId: string;
  readonly step: StepPath;
  /** The same whenever this attempt is made again after a crash; http calls carry it as `idempotency-key`. */
  readonly idempotencyKey: string;
  /** In whose name it is done; null: the operator of the installation. */
  readonly ownerId: string | null;
  /** Whose the workflow is; his are the secrets it names, whoever runs it. See `secretOwner`. */
  readonly secretOwner: string;
  /** Secrets the definition declares; no other is put in. */
  readonly secretNames: readonly string[];
  /** Aborts when the step is cancelled, timed out, or the worker stops: everything under way outside is broken off. */
  readonly signal: AbortSignal;
  /** Lines a script writes, for the live log. */
  readonly onLog?: (line: { readonly level: string; readonly text: string }) => void;
}

/**
 * Does one task outside, once: retries are the definition's. Resolves to the output. Rejects with `TaskFailure`, which is the run's; with the
 * signal's reason when that has aborted; and with anything else when it is ours: the step is then to be done again, like after a crash.
 */
export type RunTask = (task: ExternalTask, context: TaskContext) => Promise<JsonValue>;
