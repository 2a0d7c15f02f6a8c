import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ExecutionStatus } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executions: ExecutionsTable;
    executionTransitions: ExecutionTransitionsTable;
    executionChanges: ExecutionChangesTable;
  }
}

/** A `json` column: written as text, read as what it says. */
export type JsonColumn = ColumnType<JsonValue | null, string | null | undefined, string | null>;

/** A run of a workflow or agent. Its states and who may change them: `executions/engine/transitions.ts`. */
export interface ExecutionsTable {
  /** `exec_…` */
  id: string;
  kind: 'workflow' | 'agent';
  /** `wf_…`, with `versionId`; for kind workflow. */
  workflowId: string | null;
  /** `wfh_…` */
  versionId: string | null;
  /** `awf_…`; for kind agent. */
  agentId: string | null;
  /** Null: the operator of the installation. */
  ownerId: string | null;
  /** The owner as the queue knows it: never null. */
  lane: ColumnType<string, never, never>;
  status: ExecutionStatus;
  /** Greater ones first. */
  priority: Generated<number>;
  /** Place in the queue among those of the same priority, fair between owners; see `acceptExecution`. */
  turn: Generated<number>;
  /** When it last became pending. */
  queuedAt: Generated<Date>;
  /** Of those with the same key one at a time goes on; the others stay `created`. */
  concurrencyKey: string | null;
  /** A limit of its workflow applies to it, or a pause did: `execution_admissions` says whether it waits. */
  limited: Generated<boolean>;
  /** What made it begin, such as `schedule:<id>:<time>`: there is one execution a cause. */
  cause: string | null;
  /** api, cli, schedule, webhook, event, detection, workflow, rerun, replay … */
  triggerType: string;
  /** The caller that started it, as the audit log names it; null: a trigger or another execution did, or an earlier version. */
  startedBy: string | null;
  triggerInput: JsonColumn;
  /** Where the input lies when it is too large for the row; then `triggerInput` is null. So for the other `…File`. */
  triggerInputFile: string | null;
  /** Outputs given for steps, by the name of the step. */
  overrides: JsonColumn;
  /** Text of the caller in addition to the input; agents only. */
  metadata: JsonColumn;
  /** The interpreter's position. */
  state: JsonColumn;
  stateFile: string | null;
  result: JsonColumn;
  resultFile: string | null;
  /** A `WorkflowError`. */
  error: JsonColumn;
  /** Raised by every claim and every cancel: a writer with another value writes nothing. */
  epoch: Generated<number>;
  /** Workers that died while they held it, since it last waited or was accepted. Above 0 it is a suspect: see `leases/isolation.ts`. */
  losses: Generated<number>;
  /** Its worker holds nothing else. */
  alone: Generated<boolean>;
  /** Workers that died while they held it alone, in its whole life. */
  crashes: Generated<number>;
  worker: string | null;
  leaseUntil: Date | null;
  /** Of a waiting one: when the first of its timers is due. */
  wakeAt: Date | null;
  cancelRequestedAt: Date | null;
  /** A user asked to suspend it, and not to resume it since. */
  suspendRequestedAt: Generated<Date | null>;
  /** Since when it is suspended: it is `waiting`, and nothing makes it pending. Null while it still runs. */
  suspendedAt: Generated<Date | null>;
  parentId: string | null;
  /** The step of the parent that runs it. */
  parentStep: string | null;
  parentAttempt: number | null;
  /** The parent waits for its outcome, and takes it along when it ends. */
  awaited: Generated<boolean>;
  parentTold: Generated<boolean>;
  /** The first of its parents; itself when it has none. */
  rootId: string;
  /** How many parents it has. */
  depth: Generated<number>;
  /** How many executions caused each other by events before it; see `MAX_CAUSATION`. */
  causation: Generated<number>;
  /** The execution whose snapshot this one was started from. */
  sourceExecutionId: string | null;
  /** The step from which on things are really done; what was done before is taken from the source. */
  replayFrom: string | null;
  exampleId: string | null;
  exampleName: string | null;
  batchId: string | null;
  requestId: string | null;
  /** The span that its runs continue; see `storedTrace`. */
  trace: string | null;
  createdAt: Generated<Date>;
  startedAt: Date | null;
  completedAt: Date | null;
}

export type Execution = Selectable<ExecutionsTable>;

/** Allowed moves; the trigger of `executions` looks them up. */
export interface ExecutionTransitionsTable {
  fromStatus: ExecutionStatus;
  toStatus: ExecutionStatus;
}

/** Every change of status, written by the database. `seq` orders it among the steps of the trace. */
export interface ExecutionChangesTable {
  executionId: string;
  seq: number;
  fromStatus: ExecutionStatus | null;
  toStatus: ExecutionStatus;
  worker: string | null;
  at: Date;
}
