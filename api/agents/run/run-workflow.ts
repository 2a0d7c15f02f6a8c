import type { Executions } from '#api/executions/engine/executions.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import type { ExecutionWatch } from '#api/executions/watch/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import { findVersion } from '#api/workflows/tables/workflow-versions.ts';
import { findWorkflow } from '#api/workflows/tables/workflows.ts';
import type { RunWorkflow } from './outside-tools.ts';

export interface RunWorkflowDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'accept' | 'cancel'>;
  readonly watch: Pick<ExecutionWatch, 'waitForEnd'>;
  readonly payloads: PayloadStore | undefined;
}

/**
 * Runs workflows for agents with the rights of the caller of the agent. The result is a normal execution, which
 * continues if the agent stops waiting. If the agent is cancelled while it waits, the execution is cancelled too.
 */
export function createRunWorkflow({ database, executions, watch, payloads }: RunWorkflowDeps): RunWorkflow {
  return async ({ workflow: idOrSlug, input, rights, cause, causation, trace, waitMs }, signal) => {
    const viewer = { userId: rights.userId ?? undefined, administrator: rights.role === 'admin' };
    const workflow = await findWorkflow(database, viewer, idOrSlug);
    const version = workflow === undefined ? undefined : await findVersion(database, workflow, 'latest');
    if (workflow === undefined || version === undefined) return undefined;
    if (workflow.archivedAt !== null) return undefined;
    if (!mayDo('run', standingOf(viewer, workflow))) return undefined;
    const accepted = await executions.accept({
      kind: 'workflow',
      workflowId: workflow.id,
      versionId: version.id,
      ownerId: rights.userId,
      triggerType: 'agent',
      cause,
      causation: causation + 1,
      trace,
      input,
    });
    // Conflicts need an idempotency key.
    if (accepted.outcome === 'conflict') return undefined;
    const executionId = accepted.id;
    if (waitMs > 0) await watch.waitForEnd(executionId, { ms: waitMs, signal });
    if (signal.aborted) await executions.cancel(executionId);
    const { status, result, resultFile } = await database
      .selectFrom('executions')
      .select(['status', 'result', 'resultFile'])
      .where('id', '=', executionId)
      .executeTakeFirstOrThrow();
    if (status !== 'completed') return { executionId, status };
    const output: JsonValue = await readPayload(payloads, result, resultFile);
    return { executionId, status, result: output };
  };
}
