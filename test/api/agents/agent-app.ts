import { pino } from 'pino';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createAgentRuns } from '#api/agents/agent-runs.ts';
import { createAgents } from '#api/agents/agents.ts';
import { createDataset } from '#api/agents/dataset.ts';
import { createExperiments } from '#api/agents/experiments.ts';
import { createMcpTools } from '#api/agents/mcp/mcp-tools.ts';
import { registerAgents } from '#api/agents/register-agents.ts';
import { createReview } from '#api/agents/review.ts';
import type { AgentRouteDeps } from '#api/agents/routes/deps.ts';
import type { AgentRunnerDeps } from '#api/agents/run/attempt-run.ts';
import { createAgentRunner } from '#api/agents/run/runner.ts';
import { createSchemaCheck } from '#api/agents/schema-check.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createDecide } from '#api/executions/approvals/decide.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { createContents } from '#api/executions/files/contents.ts';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import { createFilePayloads } from '#api/executions/payloads/file-payloads.ts';
import { waitRoutes } from '#api/executions/routes/waits.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';
import { createConsoleLines } from '#api/executions/tasks/console-lines.ts';
import { createExecutionWatch } from '#api/executions/watch/watch.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';

import { createGrants } from '#api/sharing/grants.ts';
import type { Role, Scope } from '#schemas/api/roles.ts';
import { atEnd } from '#test/support/at-end.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { DEAF, insertUser, startKeyProcess } from '../accounts/keys/key-fixture.ts';
import { createEngineFixture } from '../executions/engine/engine-fixture.ts';
import { temporaryFolder } from '../executions/files/temporary-folder.ts';
import { OPERATOR_KEY, operatorGuard, startApp } from '../running-app.ts';

/**
 * The agent routes with real keys on a real database, with the engine's worker and sandbox. Closed at the end of the
 * test file.
 */
export async function runAgentApp(
  more: Partial<AgentRunnerDeps> = {},
  routes: Pick<AgentRouteDeps, 'maxLongPolls'> = {},
) {
  const { url, database } = await usePostgres();
  const folder = await temporaryFolder();
  const keys = await startKeyProcess(url, DEAF);
  const audit = createAudit();
  const store = createFolderStore({ folder });
  const contents = createContents({ database, store });
  const payloads = createFilePayloads(store);
  const engine = createEngineFixture(database, url, payloads);
  const schemas = createSchemaCheck();
  const sandbox = createSandbox({ threads: 2 });
  const outbound = createOutboundFetch({ allow: [], onRefusal: () => {} });
  const watch = createExecutionWatch({ database, logger: pino({ level: 'silent' }), listenUrl: url });
  const agents = createAgents({ database, contents, audit, schemas });
  const runs = createAgentRuns({ database, executions: engine.executions, payloads, agents, schemas });
  const review = createReview({ database, contents });
  const expressions = createExpressions({ threads: 1 });
  const checkTools = { schemas, evaluate: expressions.evaluate };
  const dataset = createDataset({ database, payloads, agents, runs, audit, checkTools });
  const runner = createAgentRunner({
    database,
    contents,
    sandbox,
    schemas,
    outbound,
    clickhouse: createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' }),
    secrets: { readFor: async () => new Map() },
    lines: createConsoleLines({ database, logger: pino({ level: 'silent' }) }),
    runWorkflow: undefined,
    model: undefined,
    ...more,
  });
  const secrets = more.secrets ?? { readFor: async () => new Map<string, string>() };
  const mcpTools = createMcpTools({ database, agents, audit, outbound: more.outbound ?? outbound, secrets });
  const running = await startApp({
    deps: { guard: { ...operatorGuard(), verifyKey: keys.verify } },
    prepare: (app) => {
      waitRoutes(app, { database, decide: createDecide({ database, audit, executions: engine.executions }) });
      registerAgents(app, {
        database,
        grants: createGrants({ database, audit }),
        agents,
        runs,
        review,
        dataset,
        mcpTools,
        experiments: createExperiments({ database, agents, dataset, schemas, audit }),
        contents,
        payloads,
        watch,
        ...routes,
      });
    },
  });
  atEnd(async () => {
    await watch.close();
    await running.app.close();
    await engine.stopAll();
    await sandbox.close();
    await schemas.close();
    await expressions.close();
    await outbound.close();
    await keys.close();
  });

  /** Sends requests with the given key, or with the operator key. */
  const caller = (key = OPERATOR_KEY) => {
    const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const form = body instanceof FormData;
      const response = await fetch(running.url + path, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = /^application\/json/.test(response.headers.get('content-type') ?? '') && text !== '';
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: json ? JSON.parse(text) : undefined,
      };
    };
    return send;
  };
  return {
    ...running,
    database,
    /** State that other processes share. */
    databaseUrl: url,
    folder,
    engine,
    contents,
    store,
    sandbox,
    operator: caller(),
    caller,
    /** A worker that runs agents. */
    work: () => engine.work({}, { agents: runner }),
    runner,
    /** A new user with a key. */
    async user(fields: { role?: Role; scopes?: Scope[] } = {}) {
      const user = await insertUser(database, fields.role === undefined ? {} : { role: fields.role });
      const { scopes = ['agents:read', 'agents:run', 'agents:write'] } = fields;
      const issued = await keys.issue({ userId: user.id, label: 'test', scopes });
      return { user, key: issued.apiKey, call: caller(issued.apiKey) };
    },
  };
}
export type AgentApp = Awaited<ReturnType<typeof runAgentApp>>;
