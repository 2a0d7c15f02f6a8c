import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { exceededQuota, quotaMessage } from '#api/accounts/tables/quotas.ts';
import type { Contents } from '#api/executions/files/contents.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { mayOffer, permissionsOf } from '../permissions/decide-tool.ts';
import { lockAgent } from '../tables/agents.ts';
import { writeWorkspace } from '../workspace.ts';
import { detectionTools } from './detection-tools.ts';
import { fileTools } from './file-tools.ts';
import { fetchTool, type RunCause, type RunWorkflow, workflowTool } from './outside-tools.ts';
import type { ReadRun } from './read-run.ts';
import { mayDo, type RunRights } from './rights.ts';
import type { RunFiles } from './run-files.ts';
import { RuntimeFailure } from './runtime.ts';
import { type Tool, ToolFailure } from './tool.ts';

export interface RunToolsDeps {
  readonly database: Database;
  readonly contents: Contents;
  readonly outbound: OutboundFetch;
  readonly clickhouse: ClickHouse;
  /** If undefined, agents cannot run workflows. */
  readonly runWorkflow: RunWorkflow | undefined;
}

/**
 * Returns the tools of a run: those in its configuration that its permissions do not refuse and the rights of the
 * caller allow.
 */
export function toolsOfRun(
  deps: RunToolsDeps,
  run: ReadRun,
  rights: RunRights,
  { files, mcpTools, causation, span }: { readonly files: RunFiles; readonly mcpTools: readonly Tool[] } & RunCause,
): Tool[] {
  const { execution, agent, config } = run;
  const mayWrite = mayDo(rights, 'agents:write') && (rights.role === 'admin' || rights.userId === agent.ownerId);
  const all = [
    ...fileTools(files, mayWrite ? workspaceWriter(deps, run) : undefined),
    ...(mayDo(rights, 'detections:read') ? detectionTools(deps.clickhouse) : []),
    ...(deps.runWorkflow !== undefined && mayDo(rights, 'workflows:run')
      ? [workflowTool(deps.runWorkflow, { rights, executionId: execution.executionId, causation, span })]
      : []),
    fetchTool(deps.outbound, { causation, span }),
  ];
  const named = (config.tools ?? all.map(({ name }) => name)) as readonly string[];
  const given = [...all.filter(({ name }) => named.includes(name)), ...mcpTools];
  return given.filter(({ name }) => mayOffer(permissionsOf(config), name));
}

/** Writes a file into the workspace of the agent, as a new version. */
function workspaceWriter({ database, contents }: RunToolsDeps, { execution, agent }: ReadRun) {
  return async (path: string, bytes: Uint8Array, contentType: string) => {
    const content = await contents.putBytes(bytes, contentType);
    return inTransaction(database, async (transaction) => {
      const locked = await lockAgent(transaction, agent.id, { all: true });
      if (locked === undefined) throw new RuntimeFailure('configuration', 'the agent does not exist any more');
      const author = `execution:${execution.executionId}`;
      return writeWorkspace(transaction, locked, [{ ...content, path }], author);
    }).catch((error: unknown) => {
      const exceeded = exceededQuota(error);
      throw exceeded === undefined ? error : new ToolFailure(quotaMessage(exceeded));
    });
  };
}
