import { exceededQuota, quotaMessage } from '#api/accounts/tables/quotas.ts';
import type { Executions } from '#api/executions/engine/executions.ts';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import { listExecutionFiles, putExecutionFiles } from '#api/executions/tables/execution-files.ts';
import type { JobHandlers } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { overrideProblem } from '../definitions/override-problem.ts';
import type { JsonRecord } from '../definitions/walk.ts';
import { findSnapshot, statusOfExecution } from '../tables/workflow-executions.ts';
import {
  type BulkAction,
  endBulkAction,
  findBulkAction,
  findForbidden,
  nextItems,
  recordProgress,
} from './bulk-actions.ts';

export interface BulkRunDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'accept' | 'cancel'>;
  readonly payloads: PayloadStore | undefined;
}

/** Queue of bulk actions. The payload of a job is `{id}`. */
export const BULK_QUEUE = 'workflows.bulk-action';
const HOUR_MS = 3_600_000;
const ITEMS_AT_ONCE = 50;
/** Maximum attempts of an action; see `retryDelay`. The last attempt skips executions that fail. */
export const BULK_ATTEMPTS = 20;
/** Replayed executions run after new ones. */
const REPLAY_PRIORITY = -10;

/**
 * Returns the job handler of bulk actions. After a crash, another worker continues. Cancelling is idempotent, and a
 * replay has the item as its cause, so it starts at most one execution.
 */
export function bulkActionHandlers(deps: BulkRunDeps): JobHandlers {
  return {
    [BULK_QUEUE]: {
      concurrency: 2,
      timeoutMs: HOUR_MS,
      async handle({ payload, signal, attempt }) {
        const isLast = attempt >= BULK_ATTEMPTS;
        const { id } = payload as { readonly id: string };
        for (;;) {
          const action = await findBulkAction(deps.database, id);
          if (action === undefined || action.endedAt !== null) return { ended: true };
          const items = action.status === 'stopping' ? [] : await nextItems(deps.database, id, ITEMS_AT_ONCE);
          const last = items.at(-1);
          if (last === undefined) break;
          signal.throwIfAborted();
          const forbidden = await findForbidden(
            deps.database,
            action,
            items.map(({ executionId }) => executionId),
          );
          const outcomes: Outcome[] = [];
          for (const { executionId } of items)
            outcomes.push(
              forbidden.has(executionId) ? FORBIDDEN : await (isLast ? actOrSkip : actOn)(deps, action, executionId),
            );
          const done = outcomes.filter(({ outcome }) => outcome === 'done').length;
          const problem = outcomes.findLast((one) => one.problem !== undefined)?.problem ?? null;
          const progress = { upTo: last.seq, done, skipped: outcomes.length - done, problem };
          await recordProgress(deps.database, id, progress);
        }
        await endBulkAction(deps.database, id);
        return { ended: true };
      },
    },
  };
}

interface Outcome {
  readonly outcome: 'done' | 'skipped';
  readonly problem?: string;
}

const FORBIDDEN: Outcome = { outcome: 'skipped', problem: 'the account that began it may not do this any more' };

async function actOn(deps: BulkRunDeps, action: BulkAction, executionId: string): Promise<Outcome> {
  if (action.action === 'replay') return replay(deps, action, executionId);
  const cancelled = await deps.executions.cancel(executionId);
  const changed = cancelled !== undefined && cancelled.status !== 'already-terminal';
  return { outcome: changed ? 'done' : 'skipped' };
}

/**
 * Like `actOn`, but skips an execution that fails. Otherwise it would block the remaining executions and later actions
 * of the workflow.
 */
async function actOrSkip(deps: BulkRunDeps, action: BulkAction, executionId: string): Promise<Outcome> {
  try {
    return await actOn(deps, action, executionId);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return { outcome: 'skipped', problem: 'it failed in every try: the log of the worker has the reason' };
  }
}

async function replay(
  { database, executions, payloads }: BulkRunDeps,
  action: BulkAction,
  executionId: string,
): Promise<Outcome> {
  const status = await statusOfExecution(database, executionId);
  const snapshot = await findSnapshot(database, executionId);
  // Retention deleted it, or it is running again.
  if (snapshot === undefined || status === undefined || !isTerminal(status)) return { outcome: 'skipped' };
  const workflow = await findReplayed(database, action.workflowId);
  if (workflow.archivedAt !== null) return { outcome: 'skipped', problem: 'the workflow is deleted' };
  const versionId = action.latestVersion ? workflow.currentVersionId : snapshot.versionId;
  const problem = action.latestVersion
    ? overrideProblem(Object.keys(snapshot.overrides ?? {}), workflow.definition)
    : undefined;
  if (problem !== undefined)
    return { outcome: 'skipped', problem: `its overrides do not fit the current version: ${problem.message}` };
  const input = await readPayload(payloads, snapshot.triggerInput, snapshot.triggerInputFile);
  const files = await listExecutionFiles(database, [executionId], ['input']);
  try {
    await executions.accept(
      {
        kind: 'workflow',
        workflowId: action.workflowId,
        versionId,
        ownerId: action.ownerId,
        triggerType: 'rerun',
        startedBy: action.actor,
        cause: `bulk:${action.id}:${executionId}`,
        ...(input === null ? {} : { input }),
        overrides: snapshot.overrides,
        sourceExecutionId: executionId,
        exampleId: snapshot.exampleId,
        concurrencyKey: snapshot.concurrencyKey,
        requestId: action.requestId,
        priority: REPLAY_PRIORITY,
      },
      files.length === 0 ? undefined : (transaction, id) => putExecutionFiles(transaction, id, files),
    );
    return { outcome: 'done' };
  } catch (error) {
    const exceeded = exceededQuota(error);
    if (exceeded === undefined) throw error;
    return { outcome: 'skipped', problem: quotaMessage(exceeded) };
  }
}

async function findReplayed(database: Database, workflowId: string) {
  const found = await database
    .selectFrom('workflows')
    .innerJoin('workflowVersions', 'workflowVersions.id', 'workflows.currentVersionId')
    .select(['workflows.currentVersionId', 'workflows.archivedAt', 'workflowVersions.definition'])
    .where('workflows.id', '=', workflowId)
    .executeTakeFirstOrThrow();
  return { ...found, definition: (found.definition ?? {}) as JsonRecord };
}
