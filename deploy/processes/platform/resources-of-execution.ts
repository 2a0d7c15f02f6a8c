import type {} from '#api/agents/tables/agents.ts';
import type {} from '#api/executions/tables/executions.ts';
import type { Database } from '#api/postgres/database.ts';
import type {} from '#api/workflows/tables/workflows.ts';

/**
 * Returns what an execution runs, by id and by name: `workflow:wf_…`, `workflow:nightly`. Empty if the execution does
 * not exist. Used for key restrictions.
 */
export async function resourcesOfExecution(database: Database, executionId: string): Promise<readonly string[]> {
  const found = await database
    .selectFrom('executions')
    .leftJoin('workflows', 'workflows.id', 'executions.workflowId')
    .leftJoin('agents', 'agents.id', 'executions.agentId')
    .where('executions.id', '=', executionId)
    .select(['executions.workflowId', 'workflows.slug as workflow', 'executions.agentId', 'agents.slug as agent'])
    .executeTakeFirst();
  if (found === undefined) return [];
  return [
    ...[found.workflowId, found.workflow].flatMap((name) => (name === null ? [] : [`workflow:${name}`])),
    ...[found.agentId, found.agent].flatMap((name) => (name === null ? [] : [`agent:${name}`])),
  ];
}
