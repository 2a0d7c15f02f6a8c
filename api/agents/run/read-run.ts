import { listExecutionFiles } from '#api/executions/tables/execution-files.ts';
import type { Database } from '#api/postgres/database.ts';
import { readConfig } from '../agent-config.ts';
import { findAgentExecution } from '../tables/agent-executions.ts';
import { listWorkspace } from '../tables/agent-files.ts';
import { findAgent } from '../tables/agents.ts';
import { readRights } from './rights.ts';

/** Reads everything that defines a run: its snapshot at acceptance, and its current rights. */
export async function readRun(database: Database, executionId: string) {
  const execution = await findAgentExecution(database, executionId, { all: true });
  if (execution === undefined) return undefined;
  const [agent, workspace, files, rights] = await Promise.all([
    findAgent(database, execution.agentId, { all: true }),
    listWorkspace(database, execution.agentId, execution.workspaceVersion),
    listExecutionFiles(database, [executionId], ['input', 'expected']),
    readRights(database, execution),
  ]);
  return agent === undefined
    ? undefined
    : {
        execution,
        agent,
        workspace,
        input: files.filter(({ kind }) => kind === 'input'),
        expectedFiles: files.filter(({ kind }) => kind === 'expected'),
        rights,
        config: readConfig(execution.config),
      };
}
export type ReadRun = NonNullable<Awaited<ReturnType<typeof readRun>>>;
