import { createHash } from 'node:crypto';
import { pino } from 'pino';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { createSchemas } from '#api/executions/json-schema/schemas.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { createStartLimits, createVersionLimits } from '#api/executions/limits/start-limits.ts';
import { randomId } from '#api/executions/random-id.ts';
import { createOwnerMay } from '#api/executions/tasks/functions/owner-may.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { insertVersion } from '#api/workflows/tables/workflow-versions.ts';
import { insertWorkflow, updateWorkflow } from '#api/workflows/tables/workflows.ts';
import type { TriggerDeps } from '#api/workflows/triggers/triggers.ts';

/** A workflow that has only a schedule. */
export function scheduled(schedule: JsonValue | undefined): WorkflowDefinition {
  return {
    document: { dsl: '1.0.0', namespace: 'test', name: 'scheduled', version: '1.0.0' },
    ...(schedule === undefined ? {} : { schedule }),
    do: [{ nothing: { set: { done: true } } }],
  };
}

let number = 0;

/** Releases a definition without checks as version `n` of a workflow; by default of a new one. */
export async function release(
  database: Database,
  definition: WorkflowDefinition,
  { workflowId, ownerId = null }: { readonly workflowId?: string; readonly ownerId?: string | null } = {},
): Promise<{ readonly workflowId: string; readonly versionId: string; readonly slug: string }> {
  number += 1;
  const [id, versionId, slug] = [workflowId ?? randomId('wf_'), randomId('wfh_'), `workflow-${number}`];
  await database.transaction().execute(async (transaction) => {
    if (workflowId === undefined)
      await insertWorkflow(transaction, {
        id,
        slug,
        kind: 'workflow',
        visibility: 'private',
        ownerId,
        currentVersionId: versionId,
      });
    await insertVersion(transaction, {
      id: versionId,
      workflowId: id,
      number,
      tag: String(number),
      yamlContent: JSON.stringify(definition),
      definition,
      contentHash: createHash('sha256').update(versionId).digest('hex'),
      notes: null,
      createdBy: 'operator',
    });
    if (workflowId !== undefined) await updateWorkflow(transaction, id, { currentVersionId: versionId });
  });
  return { workflowId: id, versionId, slug };
}

/** The dependencies of triggers, on one database. */
export function triggerDeps(database: Database): TriggerDeps & { close(): Promise<void> } {
  const logger = pino({ level: 'silent' });
  const expressions = createExpressions({ threads: 1 });
  const schemas = createSchemas();
  const versionLimits = createVersionLimits();
  return {
    database,
    logger,
    clickhouse: undefined,
    executions: createExecutions({
      database,
      logger,
      wakeUp: createWakeUp({ database, logger }),
      versionLimits,
      startLimits: createStartLimits({ database, evaluate: expressions.evaluate, versionLimits }),
    }),
    ownerMay: createOwnerMay({ database }),
    evaluate: expressions.evaluate,
    schemas,
    async close() {
      await Promise.all([expressions.close(), schemas.close()]);
    },
  };
}

export function executionsOf(database: Database, workflowId: string) {
  return database
    .selectFrom('executions')
    .select(['id', 'cause', 'triggerType', 'triggerInput', 'versionId', 'ownerId', 'status'])
    .where('workflowId', '=', workflowId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}
