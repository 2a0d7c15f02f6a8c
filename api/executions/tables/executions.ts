import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { JsonValue } from '../json-value.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executions: ExecutionsTable;
    executionTransitions: ExecutionTransitionsTable;
    executionChanges: ExecutionChangesTable;
  }
}

/** A `json` column: written as text, read as a value. */
export type JsonColumn = ColumnType<JsonValue | null, string | null | undefined, string | null>;

/** A run of a workflow or agent. For its statuses and transitions, see `executions/engine/transitions.ts`. */
export interface ExecutionsTable {
  /** `exec_…` */
  id: string;
  kind: 'workflow' | 'agent';
  /** `wf_…`, with `versionId`, for kind `workflow`. */
  workflowId: string | null;
  /** `wfh_…` */
  versionId: string | null;
  /** `awf_…`, for kind `agent`. */
  agentId: string | null;
  /** Null for the operator of the installation. */
  ownerId: string | null;
  /** Queue key of the owner, never null. */
  lane: ColumnType<string, never, never>;
  status: ExecutionStatus;
  /** Higher values run first. */
  priority: Generated<number>;
  /** Queue position within the same priority, fair between owners; see `positionOfNew`. */
  turn: Generated<number>;
  /** When it last became pending. */
  queuedAt: Generated<Date>;
  /** Executions with the same key run one at a time. The others stay `created`. */
  concurrencyKey: string | null;
  /** True if a limit or pause of its workflow applied to it. `execution_admissions` has whether it still waits. */
  limited: Generated<boolean>;
  /** Deduplication key of its cause, such as `schedule:<id>:<time>`: at most one execution per cause. */
  cause: string | null;
  /** api, cli, schedule, webhook, event, detection, workflow, rerun, replay … */
  triggerType: string;
  /**
   * The caller that started it, as in the audit log. Null if a trigger or another execution started it, or an earlier
   * version of the service.
   */
  startedBy: string | null;
  triggerInput: JsonColumn;
  /**
   * File of an input that is too large for the row; `triggerInput` is then null. The other `…File` columns work in the
   * same way.
   */
  triggerInputFile: string | null;
  /** Outputs that replace those of steps, by step name. */
  overrides: JsonColumn;
  /** Text from the caller in addition to the input. Agents only. */
  metadata: JsonColumn;
  /** Position of the interpreter. */
  state: JsonColumn;
  stateFile: string | null;
  result: JsonColumn;
  resultFile: string | null;
  /** A `WorkflowError`. */
  error: JsonColumn;
  /** Fencing token: raised by every claim and every cancel. A writer with another value writes nothing. */
  epoch: Generated<number>;
  /**
   * Number of workers that died while they leased it, since it was accepted or last waited. Above 0, it is a suspect:
   * see `leases/isolation.ts`.
   */
  losses: Generated<number>;
  /** True if its worker leases nothing else. */
  alone: Generated<boolean>;
  /** Number of workers that died while they ran it alone, over its whole life. */
  crashes: Generated<number>;
  worker: string | null;
  leaseUntil: Date | null;
  /** For a waiting execution: when its first timer is due. */
  wakeAt: Date | null;
  cancelRequestedAt: Date | null;
  /** When a user requested its suspension; null after a resumption. */
  suspendRequestedAt: Generated<Date | null>;
  /** When it was suspended. It is then `waiting`, and nothing makes it pending. Null while it still runs. */
  suspendedAt: Generated<Date | null>;
  parentId: string | null;
  /** The step of the parent that runs it. */
  parentStep: string | null;
  parentAttempt: number | null;
  /** True if the parent waits for its outcome. It is cancelled together with the parent. */
  awaited: Generated<boolean>;
  parentTold: Generated<boolean>;
  /** Id of the topmost ancestor, or its own id if it has no parent. */
  rootId: string;
  /** Number of ancestors. */
  depth: Generated<number>;
  /** Length of its causal chain; see `MAX_CAUSATION`. */
  causation: Generated<number>;
  /** The execution whose snapshot it was started from. */
  sourceExecutionId: string | null;
  /** The first step that really runs. Results of earlier steps come from the source execution. */
  replayFrom: string | null;
  exampleId: string | null;
  exampleName: string | null;
  batchId: string | null;
  requestId: string | null;
  /** Span that its runs continue; see `storedTrace`. */
  trace: string | null;
  createdAt: Generated<Date>;
  startedAt: Date | null;
  completedAt: Date | null;
}

export type Execution = Selectable<ExecutionsTable>;

/** Allowed transitions, which a trigger of `executions` enforces. */
export interface ExecutionTransitionsTable {
  fromStatus: ExecutionStatus;
  toStatus: ExecutionStatus;
}

/** Status changes, written by the database. `seq` orders them among the steps of the trace. */
export interface ExecutionChangesTable {
  executionId: string;
  seq: number;
  fromStatus: ExecutionStatus | null;
  toStatus: ExecutionStatus;
  worker: string | null;
  at: Date;
}
