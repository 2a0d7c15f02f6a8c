import type { Accepted, Executions } from '#api/executions/engine/executions.ts';
import { findClash } from '#api/executions/files/safe-path.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { PayloadTooLarge, readPayload } from '#api/executions/payloads/keep-payload.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import { listExecutionFiles, putExecutionFiles } from '#api/executions/tables/execution-files.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { readConfig } from './agent-config.ts';
import type { Agents } from './agents.ts';
import { checkInput } from './check-input.ts';
import type { Comparison } from './compare.ts';
import type { Check } from './evaluation/checks.ts';
import { requireCurrentSecrets } from './known-secrets.ts';
import { ownerOf, type Requester, requireChange, requireMay, viewerOf } from './requester.ts';
import type { SchemaCheck } from './schema-check.ts';
import { readChecks } from './tables/agent-checks.ts';
import {
  type FullAgentExecution,
  findAgentExecution,
  insertAgentExecution,
  lockAgentExecution,
} from './tables/agent-executions.ts';
import type { GivenFile } from './tables/agent-files.ts';
import type { SeenAgent } from './tables/agents.ts';

export interface RunRequest {
  readonly input: JsonValue;
  readonly metadata?: JsonValue | undefined;
  /** Input files. Their contents are already stored and their paths validated. */
  readonly files?: readonly GivenFile[] | undefined;
  readonly batchId?: string | undefined;
  readonly exampleId?: string | undefined;
  readonly exampleName?: string | undefined;
  /** What to compare its output and files with when it ends. */
  readonly expectation?: RunExpectation | undefined;
  /** Default: the current agent. The caller must have the permission to choose a snapshot. */
  readonly snapshot?: RunSnapshot | undefined;
  /** Scoped to the caller. Within 24 h, the same key with the same request returns the same execution. */
  readonly idempotencyKey?: string | undefined;
}

export interface RunExpectation {
  readonly comparison: Comparison;
  readonly expected: JsonValue | null;
  readonly files: readonly GivenFile[];
  readonly checks?: readonly Check[] | undefined;
}

/** A workspace version and a configuration that replace those of the agent. */
export interface RunSnapshot {
  readonly version: number;
  readonly config: Record<string, unknown>;
}

/** Runs of agents. All calls reject with `ApiError` if something does not exist, is forbidden or invalid. */
export interface AgentRuns {
  /** Accepts a run and resolves to the id of its execution. The execution is durable from then on. */
  run(requester: Requester, idOrSlug: string, wanted: RunRequest): Promise<string>;
  /**
   * Repeats an execution: same input, files, configuration and workspace, with the rights of the requester. If it uses
   * a secret that the agent no longer uses, the requester needs the permission to choose secrets.
   */
  rerun(requester: Requester, executionId: string, idempotencyKey?: string): Promise<string>;
  /** Idempotent. */
  cancel(requester: Requester, executionId: string): Promise<FullAgentExecution>;
  find(requester: Requester, executionId: string): Promise<FullAgentExecution>;
}

export interface AgentRunsDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'accept' | 'cancel'>;
  readonly payloads: PayloadStore | undefined;
  readonly agents: Pick<Agents, 'find'>;
  readonly schemas: SchemaCheck;
}

/** Creates the runs. Long: its functions share the stores and the acceptance of an execution. */
export function createAgentRuns({ database, executions, payloads, agents, schemas }: AgentRunsDeps): AgentRuns {
  async function find(requester: Requester, executionId: string): Promise<FullAgentExecution> {
    const execution = await findAgentExecution(database, executionId, viewerOf(requester));
    if (execution === undefined) throw apiError('not_found', 'there is no such execution');
    return execution;
  }

  async function accept(
    requester: Requester,
    snapshot: {
      readonly agentId: string;
      readonly version: number;
      readonly config: Record<string, unknown>;
      readonly triggerType: string;
      readonly sourceExecutionId?: string;
    },
    wanted: RunRequest,
  ): Promise<string> {
    const { caller, origin } = requester;
    const { input, metadata, files = [], batchId, exampleId, exampleName, expectation, idempotencyKey } = wanted;
    const { agentId, version, config, triggerType, sourceExecutionId } = snapshot;
    const labels = {
      batchId: batchId ?? null,
      exampleId: exampleId ?? null,
      exampleName: exampleName ?? null,
      sourceExecutionId: sourceExecutionId ?? null,
    };
    const asked = {
      agentId,
      input,
      metadata: metadata ?? null,
      ...labels,
      files: files.map((file) => [file.path, file.contentHash]),
    };
    const owner = ownerOf(requester);
    const within = async (transaction: Db, executionId: string) => {
      await insertAgentExecution(transaction, {
        executionId,
        agentId,
        ownerId: owner,
        workspaceVersion: version,
        config,
        scopes: caller.kind === 'key' ? [...caller.scopes] : null,
        model: readConfig(config).model?.name ?? null,
        ...labels,
        expected: expectation?.expected ?? null,
        expectedFiles: expectation?.files.length ?? 0,
        comparison: expectation?.comparison ?? null,
        checks: expectation?.checks === undefined || expectation.checks.length === 0 ? null : expectation.checks,
      });
      await putExecutionFiles(transaction, executionId, [
        ...files.map((file) => ({ ...pickContent(file), kind: 'input' as const })),
        ...(expectation?.files ?? []).map((file) => ({ ...pickContent(file), kind: 'expected' as const })),
      ]);
    };
    const accepted: Accepted = await executions
      .accept(
        {
          kind: 'agent',
          agentId,
          ownerId: owner,
          triggerType,
          startedBy: actorOf(caller),
          input,
          requestId: origin.requestId,
          causation: requester.causation ?? 0,
          trace: requester.trace,
          ...labels,
          ...(metadata === undefined ? {} : { metadata }),
          ...(idempotencyKey === undefined
            ? {}
            : { idempotency: { caller: actorOf(caller), key: idempotencyKey, body: asked } }),
        },
        within,
      )
      .catch((error: unknown) => {
        if (error instanceof PayloadTooLarge) throw apiError('invalid_value', error.message, 'input');
        throw error;
      });
    if (accepted.outcome === 'conflict')
      throw apiError('invalid_value', 'this key was used for another request', 'Idempotency-Key');
    return accepted.id;
  }

  return {
    find,
    async run(requester, idOrSlug, wanted) {
      const agent = await agents.find(requester, idOrSlug);
      requireRunnable(requester, agent);
      const clash = findClash((wanted.files ?? []).map(({ path }) => path));
      if (clash !== undefined) throw apiError('invalid_value', 'the name clashes with that of another file', clash);
      const { version, config } = wanted.snapshot ?? { version: agent.latestVersion, config: agent.config };
      await checkInput(schemas, config, wanted.input, ownerOf(requester) ?? undefined);
      const { id: agentId } = agent;
      return accept(requester, { agentId, version, config, triggerType: 'api' }, wanted);
    },

    async rerun(requester, executionId, idempotencyKey) {
      const source = await find(requester, executionId);
      // Access to an old execution does not include the permission to run an agent that was withdrawn since.
      const agent = await agents.find(requester, source.agentId);
      requireRunnable(requester, agent);
      requireCurrentSecrets(requester, agent, source, await readChecks(database, agent.id));
      const all = await listExecutionFiles(database, [executionId], ['input', 'expected']);
      const files = all.filter(({ kind }) => kind === 'input');
      const {
        agentId,
        workspaceVersion: version,
        config,
        exampleId,
        exampleName,
        comparison,
        expected,
        checks,
      } = source;
      return accept(
        requester,
        { agentId, version, config, triggerType: 'rerun', sourceExecutionId: executionId },
        {
          input: await readPayload(payloads, source.triggerInput, source.triggerInputFile),
          files,
          ...(source.metadata === null ? {} : { metadata: source.metadata }),
          exampleId: exampleId ?? undefined,
          exampleName: exampleName ?? undefined,
          idempotencyKey,
          ...(comparison === null
            ? {}
            : {
                expectation: {
                  comparison,
                  expected,
                  checks: checks ?? [],
                  files: all.filter(({ kind }) => kind === 'expected'),
                },
              }),
        },
      );
    },

    async cancel(requester, executionId) {
      const found = await database
        .transaction()
        .execute((transaction) => lockAgentExecution(transaction, executionId, viewerOf(requester)));
      if (found === undefined) throw apiError('not_found', 'there is no such execution');
      requireChange(found);
      await executions.cancel(executionId);
      return find(requester, executionId);
    },
  };
}

function requireRunnable(requester: Requester, agent: SeenAgent): void {
  requireMay(requester, 'run', agent);
  if (agent.archivedAt !== null) throw apiError('invalid_value', 'the agent is archived');
}

function pickContent({ path, contentHash, size, contentType, filename = null }: GivenFile): GivenFile {
  return { path, contentHash, size, contentType, filename };
}
