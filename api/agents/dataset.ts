import type { Audit } from '#api/audit/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import { randomId } from '#api/executions/random-id.ts';
import { listExecutionFiles } from '#api/executions/tables/execution-files.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AgentRuns, RunSnapshot } from './agent-runs.ts';
import type { Agents } from './agents.ts';
import type { Comparison } from './compare.ts';
import { type Check, secretUsesOfChecks } from './evaluation/checks.ts';
import { type CheckTools, requireUsableChecks } from './evaluation/usable-checks.ts';
import { requireKnownSecrets } from './known-secrets.ts';
import { authorOf, ownerOf, type Requester, requireMay, viewerOf } from './requester.ts';
import { putChecks, readChecks } from './tables/agent-checks.ts';
import { type EvaluationRow, listEvaluation } from './tables/agent-evaluations.ts';
import {
  type AgentExample,
  type AgentExampleFile,
  deleteExample,
  listExampleFiles,
  listExamples,
  putExample,
  sizeOfOtherExamples,
} from './tables/agent-examples.ts';
import { lockAgentExecution } from './tables/agent-executions.ts';
import { lockAgent, type SeenAgent } from './tables/agents.ts';

/** Maximum number of examples per agent, and per evaluation, which runs each of them once. */
const MAX_EXAMPLES = 1_000;
/** Maximum JSON size of all examples of an agent, which are listed and evaluated together. */
const MAX_DATASET_BYTES = 32 * 2 ** 20;

export interface ExampleWithFiles {
  readonly example: AgentExample;
  readonly files: readonly AgentExampleFile[];
}

/** One of the runs per example: an evaluation has one arm, an experiment two. */
export interface EvaluationArm {
  readonly batchId: string;
  readonly snapshot?: RunSnapshot | undefined;
}

export interface ChosenExamples {
  readonly count: number;
  /** Runs the agent over the examples, once per arm. */
  start(arms: readonly EvaluationArm[]): Promise<StartedEvaluation['executions']>;
}

export interface StartedEvaluation {
  readonly batchId: string;
  readonly executions: readonly { readonly executionId: string; readonly exampleName: string }[];
}

/**
 * Examples of an agent, and runs over them. All calls reject with `ApiError` if something does not exist, is forbidden
 * or invalid.
 */
export interface Dataset {
  list(requester: Requester, idOrSlug: string): Promise<ExampleWithFiles[]>;
  put(
    requester: Requester,
    idOrSlug: string,
    example: { name: string; input: JsonValue; expected: JsonValue | null; comparison: Comparison },
  ): Promise<string>;
  remove(requester: Requester, idOrSlug: string, name: string): Promise<void>;
  /** Creates an example from an execution: its input and files, and what is expected of it. */
  promote(requester: Requester, executionId: string, name: string): Promise<string>;
  /**
   * Runs the agent over all or the named examples. Each outcome is compared with the expectation of its example.
   * Idempotent by batch id.
   */
  evaluate(
    requester: Requester,
    idOrSlug: string,
    batchId: string,
    names: readonly string[] | undefined,
  ): Promise<StartedEvaluation>;
  /** Returns all or the named examples of the agent. */
  choose(requester: Requester, agent: SeenAgent, names: readonly string[] | undefined): Promise<ChosenExamples>;
  /** Returns the checks of every run of an example. */
  checks(requester: Requester, idOrSlug: string): Promise<readonly Check[]>;
  putChecks(requester: Requester, idOrSlug: string, checks: readonly Check[]): Promise<void>;
  /** Returns the results of an evaluation so far, by example name, with the latest run of each example. */
  results(requester: Requester, idOrSlug: string, batchId: string): Promise<EvaluationRow[]>;
}

interface DatasetDeps {
  readonly database: Database;
  readonly payloads: PayloadStore | undefined;
  readonly agents: Pick<Agents, 'find'>;
  readonly runs: Pick<AgentRuns, 'run' | 'find'>;
  readonly audit: Audit;
  readonly checkTools: CheckTools;
}

/** Creates the dataset. Long: its functions share the stores and the reading of examples. */
export function createDataset(deps: DatasetDeps): Dataset {
  const { database, payloads, agents, runs, audit, checkTools } = deps;

  async function read(agentId: string, names?: readonly string[]): Promise<ExampleWithFiles[]> {
    const examples = await listExamples(database, agentId, names);
    const files = await listExampleFiles(
      database,
      examples.map(({ id }) => id),
    );
    return examples.map((example) => ({ example, files: files.filter(({ exampleId }) => exampleId === example.id) }));
  }

  const choose: Dataset['choose'] = async (requester, agent, names) => {
    requireMay(requester, 'run', agent);
    const chosen = await read(agent.id, names);
    const missing = names?.find((name) => !chosen.some(({ example }) => example.name === name));
    if (missing !== undefined)
      throw apiError('invalid_value', `there is no example ${JSON.stringify(missing)}`, 'examples');
    if (chosen.length === 0) throw apiError('invalid_value', 'the agent has no examples', 'examples');
    return { count: chosen.length, start: (arms) => runExamples(deps, requester, agent, chosen, arms) };
  };

  return {
    list: async (requester, idOrSlug) => read((await agents.find(requester, idOrSlug)).id),

    async put(requester, idOrSlug, { name, input, expected, comparison }) {
      const agent = await agents.find(requester, idOrSlug);
      requireMay(requester, 'edit', agent);
      return inTransaction(database, async (transaction) => {
        const row = {
          id: randomId('awx_'),
          agentId: agent.id,
          name,
          input,
          expected,
          comparison,
          sourceExecutionId: null,
        };
        const id = await keepExample(transaction, { ...row, files: [] });
        await audit.record(transaction, entryOf(requester, agent.id, name, 'put'));
        return id;
      });
    },

    async remove(requester, idOrSlug, name) {
      const agent = await agents.find(requester, idOrSlug);
      requireMay(requester, 'edit', agent);
      await inTransaction(database, async (transaction) => {
        if (!(await deleteExample(transaction, agent.id, name)))
          throw apiError('not_found', 'there is no such example');
        await audit.record(transaction, entryOf(requester, agent.id, name, 'removed'));
      });
    },

    async promote(requester, executionId, name) {
      const source = await runs.find(requester, executionId);
      const agent = await agents.find(requester, source.agentId);
      requireMay(requester, 'edit', agent);
      const input = await readPayload(payloads, source.triggerInput, source.triggerInputFile);
      return inTransaction(database, async (transaction) => {
        const locked = await lockAgentExecution(transaction, executionId, viewerOf(requester));
        if (locked === undefined) throw apiError('not_found', 'there is no such execution');
        const files = (await listExecutionFiles(transaction, [executionId], ['input', 'expected'])).map(
          ({ kind, path, contentHash, size, contentType, filename }) => ({
            kind: kind === 'expected' ? ('expected' as const) : ('input' as const),
            path,
            contentHash,
            size,
            contentType,
            filename,
          }),
        );
        const id = await keepExample(transaction, {
          id: randomId('awx_'),
          agentId: agent.id,
          name,
          input,
          expected: locked.expected,
          comparison: locked.comparison ?? 'subset',
          sourceExecutionId: executionId,
          files,
        });
        await transaction
          .updateTable('agentExecutions')
          .set({ promotedExampleName: name })
          .where('executionId', '=', executionId)
          .execute();
        await audit.record(transaction, entryOf(requester, agent.id, name, 'promoted'));
        return id;
      });
    },

    async evaluate(requester, idOrSlug, batchId, names) {
      const agent = await agents.find(requester, idOrSlug);
      const chosen = await choose(requester, agent, names);
      return { batchId, executions: await chosen.start([{ batchId }]) };
    },

    choose,

    checks: async (requester, idOrSlug) => readChecks(database, (await agents.find(requester, idOrSlug)).id),

    async putChecks(requester, idOrSlug, checks) {
      const agent = await agents.find(requester, idOrSlug);
      requireMay(requester, 'edit', agent);
      requireKnownSecrets(requester, agent, agent.config, secretUsesOfChecks(checks));
      await requireUsableChecks(checks, checkTools, ownerOf(requester) ?? undefined);
      await inTransaction(database, async (transaction) => {
        await putChecks(transaction, agent.id, checks, authorOf(requester).actor);
        await audit.record(transaction, {
          ...entryOf(requester, agent.id, '', ''),
          diff: { checks: { after: checks } },
        });
      });
    },

    async results(requester, idOrSlug, batchId) {
      const agent = await agents.find(requester, idOrSlug);
      const rows = await listEvaluation(database, agent.id, batchId, viewerOf(requester));
      if (rows.length === 0) throw apiError('not_found', 'there is no such evaluation');
      return rows;
    },
  };
}

/** Runs an agent over examples, once per arm. */
async function runExamples(
  { database, runs }: Pick<DatasetDeps, 'database' | 'runs'>,
  requester: Requester,
  agent: SeenAgent,
  chosen: readonly ExampleWithFiles[],
  arms: readonly EvaluationArm[],
): Promise<StartedEvaluation['executions']> {
  const checks = await readChecks(database, agent.id);
  const executions: { executionId: string; exampleName: string }[] = [];
  for (const { example, files } of chosen)
    for (const { batchId, snapshot } of arms) {
      const executionId = await runs.run(requester, agent.id, {
        input: example.input,
        files: files.filter(({ kind }) => kind === 'input'),
        batchId,
        exampleId: example.id,
        exampleName: example.name,
        snapshot,
        expectation: {
          comparison: example.comparison,
          expected: example.expected,
          files: files.filter(({ kind }) => kind === 'expected'),
          checks,
        },
        idempotencyKey: `evaluation:${agent.id}:${batchId}:${example.id}`,
      });
      executions.push({ executionId, exampleName: example.name });
    }
  return executions;
}

/** Inserts or replaces an example by name, within the limits of the dataset. */
async function keepExample(transaction: Db, example: Parameters<typeof putExample>[1]): Promise<string> {
  const { agentId, name, input, expected } = example;
  // Serialized: two concurrent transactions would not count each other's examples.
  await lockAgent(transaction, agentId, { all: true });
  const { count, bytes } = await sizeOfOtherExamples(transaction, agentId, name);
  if (count >= MAX_EXAMPLES) throw apiError('invalid_value', `an agent has at most ${MAX_EXAMPLES} examples`);
  if (bytes + Buffer.byteLength(JSON.stringify([input, expected])) > MAX_DATASET_BYTES)
    throw apiError('invalid_value', `the examples of an agent have at most ${MAX_DATASET_BYTES} bytes together`);
  return putExample(transaction, example);
}

function entryOf(requester: Requester, agentId: string, name: string, what: string) {
  return {
    actor: authorOf(requester).actor,
    target: `agent:${agentId}`,
    action: 'agent.update',
    diff: { example: { after: `${name}: ${what}` } },
    origin: requester.origin,
  } as const;
}
