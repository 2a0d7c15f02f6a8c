import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createOperatorKeyCheck } from '#api/accounts/keys/operator-key.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createDecide } from '#api/executions/approvals/decide.ts';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { createContents } from '#api/executions/files/contents.ts';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import { createStartLimits, createVersionLimits } from '#api/executions/limits/start-limits.ts';
import { createTotals, type TotalsConfig } from '#api/executions/lists/totals.ts';
import { createFilePayloads } from '#api/executions/payloads/file-payloads.ts';
import { type ExecutionsDeps, registerExecutions } from '#api/executions/register-executions.ts';
import { createSecrets } from '#api/executions/secrets/secrets.ts';
import { createExecutionWatch } from '#api/executions/watch/watch.ts';
import { createTaskPolls } from '#api/executions/worker-tasks/polls.ts';
import { createWorkerTasks } from '#api/executions/worker-tasks/worker-tasks.ts';
import { createFindUnit } from '#api/find-unit.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { createGrants } from '#api/sharing/grants.ts';
import { registerSharing } from '#api/sharing/register-sharing.ts';
import { createTeams } from '#api/sharing/teams.ts';
import { createChecker } from '#api/workflows/definitions/checker.ts';
import { createReleases } from '#api/workflows/definitions/release.ts';
import { createSchemaSource } from '#api/workflows/definitions/schema-resources.ts';
import { registerWorkflows } from '#api/workflows/register-workflows.ts';
import type { RunLimits, WorkflowRouteDeps } from '#api/workflows/routes/deps.ts';
import type { Scope } from '#schemas/api/roles.ts';
import { DEAF, insertUser, startKeyProcess } from '../../accounts/keys/key-fixture.ts';
import { OPERATOR_KEY, operatorGuard, startApp } from '../../running-app.ts';

export const AUTH_SECRETS: readonly [string, ...string[]] = ['a secret of the tests, of 32 characters'];

/** A caller in these tests. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; headers: Headers; body: never; text: string }>;

/**
 * The app with real keys and all workflow routes, on a database of the test. Runs are accepted; the test starts
 * workers.
 */
export async function runWorkflowApp(
  databaseUrl: string,
  {
    runLimits,
    totals,
    listen = true,
    recheckMs,
    minScheduleMs,
  }: {
    runLimits?: Partial<RunLimits>;
    totals?: TotalsConfig;
    listen?: boolean;
    recheckMs?: number;
    minScheduleMs?: number;
  } = {},
) {
  const keys = await startKeyProcess(databaseUrl, DEAF);
  const { database } = keys;
  const folder = await mkdtemp(join(tmpdir(), 'workflows-'));
  const logger = pino({ level: 'silent' });
  const audit = createAudit();
  const store = createFolderStore({ folder });
  const contents = createContents({ database, store });
  const payloads = createFilePayloads(store);
  const checker = createChecker();
  const watch = createExecutionWatch({ database, logger, listenUrl: listen ? databaseUrl : undefined });
  const expressions = createExpressions({ threads: 1 });
  const versionLimits = createVersionLimits();
  const executions = createExecutions({
    database,
    logger,
    wakeUp: createWakeUp({ database, logger }),
    payloads,
    startLimits: createStartLimits({ database, evaluate: expressions.evaluate, versionLimits }),
    versionLimits,
  });
  const secrets = createSecrets({ database, audit }, { secrets: AUTH_SECRETS });
  const outbound = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  const deps: WorkflowRouteDeps = {
    database,
    audit,
    releases: createReleases(
      {
        database,
        audit,
        checker,
        schemas: createSchemaSource({ fetch: outbound, secrets, evaluate: expressions.evaluate, checker }),
      },
      minScheduleMs === undefined ? {} : { minScheduleMs },
    ),
    checker,
    executions,
    jobs: createJobQueue({ database, logger }),
    versionLimits,
    watch,
    payloads,
    contents,
    grants: createGrants({ database, audit }),
    countTotal: createTotals(totals),
    ...(runLimits === undefined ? {} : { runLimits }),
  };
  const shared: ExecutionsDeps = {
    ...deps,
    decide: createDecide({ database, audit, executions }),
    secrets,
    findUnit: createFindUnit({ database }),
    workerTasks: createWorkerTasks({
      database,
      wakeUp: createWakeUp({ database, logger }),
      polls: createTaskPolls({ logger, listenUrl: listen ? databaseUrl : undefined }),
    }),
    ...(recheckMs === undefined ? {} : { recheckMs }),
  };
  const running = await startApp({
    deps: {
      guard: { ...operatorGuard(), isOperator: createOperatorKeyCheck(OPERATOR_KEY), verifyKey: keys.verify },
    },
    prepare: (app) =>
      void app.register(async (scope) => {
        registerSharing(scope as typeof app, { database, teams: createTeams({ database, audit }) });
        await registerExecutions(scope as typeof app, shared);
        await registerWorkflows(scope as typeof app, deps);
      }),
  });

  const callWith =
    (key: string): Call =>
    async (method, path, body, headers = {}) => {
      const form = body instanceof FormData || body instanceof Uint8Array || typeof body === 'string';
      const response = await fetch(running.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: form ? (body as string) : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (isJson ? JSON.parse(text) : undefined) as never,
      };
    };

  return {
    ...running,
    ...deps,
    secrets: shared.secrets,
    contents,
    keys,
    folder,
    operator: callWith(OPERATOR_KEY),
    callWith,
    /** A new user with a key that has these scopes, or all scopes of the role. */
    async user(role: 'user' | 'analyst' | 'admin' = 'user', scopes?: readonly Scope[]) {
      const user = await insertUser(database, { role });
      const { apiKey } = await keys.issue({ userId: user.id, label: 'test', scopes });
      return { user, apiKey, call: callWith(apiKey) };
    },
    async end() {
      await running.app.close();
      await watch.close();
      await checker.close();
      await expressions.close();
      await outbound.close();
      await store.close();
      await keys.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type WorkflowApp = Awaited<ReturnType<typeof runWorkflowApp>>;

/** A definition with these tasks, as JSON (which is YAML). */
export function yamlOf(tasks: Record<string, unknown>, more: Record<string, unknown> = {}, name = 'test'): string {
  return JSON.stringify({
    document: { dsl: '1.0.0', namespace: 'test', name, version: '1.0.0' },
    ...more,
    do: Object.entries(tasks).map(([task, what]) => ({ [task]: what })),
  });
}
