import type { Audit } from '#api/audit/port.ts';
import { randomId } from '#api/executions/random-id.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { readConfig } from './agent-config.ts';
import type { Agents } from './agents.ts';
import type { Dataset } from './dataset.ts';
import { type ArmComparison, type ArmResult, compareArms } from './evaluation/compare-arms.ts';
import { requireKnownSecrets } from './known-secrets.ts';
import { authorOf, ownerOf, type Requester, requireMay, viewerOf } from './requester.ts';
import type { SchemaCheck } from './schema-check.ts';
import { type EvaluationRow, listEvaluation } from './tables/agent-evaluations.ts';
import {
  countExperiments,
  deleteUnlessStarted,
  type Experiment,
  type ExperimentArm,
  findExperiment,
  insertExperiment,
  listExperiments,
} from './tables/agent-experiments.ts';
import { lockAgent, type SeenAgent } from './tables/agents.ts';

/** Maximum number per agent. */
const MAX_EXPERIMENTS = 1_000;

export interface WantedArm {
  /** Default: the latest version. */
  readonly version?: number | undefined;
  readonly config?: Record<string, unknown> | undefined;
}

export interface ExperimentRow {
  readonly exampleName: string;
  readonly baseline: EvaluationRow | undefined;
  readonly candidate: EvaluationRow | undefined;
}

export interface ExperimentResult {
  readonly experiment: Experiment;
  readonly rows: readonly ExperimentRow[];
  readonly comparison: ArmComparison;
}

/**
 * Experiments compare two versions of an agent over the same examples. All calls reject with `ApiError` if something
 * does not exist, is forbidden or invalid.
 */
export interface Experiments {
  start(
    requester: Requester,
    idOrSlug: string,
    wanted: {
      readonly name: string;
      readonly baseline: WantedArm;
      readonly candidate: WantedArm;
      readonly examples: readonly string[] | undefined;
    },
  ): Promise<Experiment>;
  list(
    requester: Requester,
    idOrSlug: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly data: readonly Experiment[]; readonly total: number }>;
  /** Returns the result so far. */
  result(requester: Requester, idOrSlug: string, id: string): Promise<ExperimentResult>;
}

/** Prefix of the ids of experiments. */
const EXPERIMENT_ID = 'awp_';

/**
 * Throws a 400 for a batch id that could belong to an experiment. Otherwise a run with such a label could replace one
 * of its runs.
 */
export function requireOwnBatch(batchId: string | undefined): void {
  if (batchId?.startsWith(EXPERIMENT_ID))
    throw apiError('invalid_value', `ids of batches that begin with ${EXPERIMENT_ID} belong to experiments`, 'batchId');
}

/** Returns the batch ids of the runs of an experiment. */
export function batchesOf(id: string): { readonly baseline: string; readonly candidate: string } {
  return { baseline: `${id}.baseline`, candidate: `${id}.candidate` };
}

export function createExperiments(deps: {
  readonly database: Database;
  readonly agents: Pick<Agents, 'find'>;
  readonly dataset: Pick<Dataset, 'choose' | 'checks'>;
  readonly schemas: SchemaCheck;
  readonly audit: Audit;
}): Experiments {
  const { database, agents, dataset, schemas } = deps;

  async function armOf(requester: Requester, agent: SeenAgent, { version, config = {} }: WantedArm, field: string) {
    const wanted = version ?? agent.latestVersion;
    if (wanted < 1 || wanted > agent.latestVersion)
      throw apiError('invalid_value', 'the workspace has no such version', `${field}.version`);
    if (Object.keys(config).length > 0) {
      // Requires the permission to edit the agent, because another configuration can use other tools and endpoints.
      requireMay(requester, 'edit', agent);
      const merged = { ...agent.config, ...config };
      readConfig(merged);
      await schemas.checkConfig(merged, ownerOf(requester) ?? undefined);
      requireKnownSecrets(requester, agent, merged);
    }
    return { version: wanted, config } satisfies ExperimentArm;
  }

  return {
    async start(requester, idOrSlug, { name, examples, ...wanted }) {
      const agent = await agents.find(requester, idOrSlug);
      requireMay(requester, 'run', agent);
      const baseline = await armOf(requester, agent, wanted.baseline, 'baseline');
      const candidate = await armOf(requester, agent, wanted.candidate, 'candidate');
      if (JSON.stringify(baseline) === JSON.stringify(candidate))
        throw apiError('invalid_value', 'the versions are the same', 'candidate');
      const chosen = await dataset.choose(requester, agent, examples);
      const id = randomId(EXPERIMENT_ID);
      const row = {
        id,
        agentId: agent.id,
        name,
        baseline,
        candidate,
        checks: [...(await dataset.checks(requester, agent.id))],
        examples: chosen.count,
        createdBy: authorOf(requester).actor,
      };
      await store(deps, requester, row);
      const batches = batchesOf(id);
      const snapshot = ({ version, config }: ExperimentArm) => ({ version, config: { ...agent.config, ...config } });
      try {
        await chosen.start([
          { batchId: batches.baseline, snapshot: snapshot(baseline) },
          { batchId: batches.candidate, snapshot: snapshot(candidate) },
        ]);
      } catch (error) {
        await removeUnlessStarted(deps, requester, row);
        throw error;
      }
      const stored = await findExperiment(database, agent.id, id);
      if (stored === undefined) throw apiError('not_found', 'there is no such experiment');
      return stored;
    },

    async list(requester, idOrSlug, page) {
      const agent = await agents.find(requester, idOrSlug);
      const [data, total] = await Promise.all([
        listExperiments(database, agent.id, page),
        countExperiments(database, agent.id),
      ]);
      return { data, total };
    },

    async result(requester, idOrSlug, id) {
      const agent = await agents.find(requester, idOrSlug);
      const experiment = await findExperiment(database, agent.id, id);
      if (experiment === undefined) throw apiError('not_found', 'there is no such experiment');
      const batches = batchesOf(id);
      const [baseline, candidate] = await Promise.all([
        listEvaluation(database, agent.id, batches.baseline, viewerOf(requester)),
        listEvaluation(database, agent.id, batches.candidate, viewerOf(requester)),
      ]);
      const rows = pairUp(baseline, candidate);
      const comparison = compareArms(
        rows.map((row) => ({ baseline: armResult(row.baseline), candidate: armResult(row.candidate) })),
      );
      return { experiment, rows, comparison };
    },
  };
}

type NewExperiment = Omit<Experiment, 'createdAt'>;

interface Stores {
  readonly database: Database;
  readonly audit: Audit;
}

/** Inserts an experiment before its runs start. So no run lacks its experiment, even if the process dies in between. */
async function store({ database, audit }: Stores, requester: Requester, row: NewExperiment): Promise<void> {
  await inTransaction(database, async (transaction) => {
    // Serialized: two concurrent transactions would not count each other's experiment.
    await lockAgent(transaction, row.agentId, { all: true });
    if ((await countExperiments(transaction, row.agentId)) >= MAX_EXPERIMENTS)
      throw apiError('invalid_value', `an agent has at most ${MAX_EXPERIMENTS} experiments`);
    await insertExperiment(transaction, row);
    await audit.record(transaction, entryOf(requester, row, 'after'));
  });
}

/** Deletes an experiment whose first run was refused. If some of its runs exist, it is kept, so they can be read. */
async function removeUnlessStarted(
  { database, audit }: Stores,
  requester: Requester,
  row: NewExperiment,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (await deleteUnlessStarted(transaction, row.id, Object.values(batchesOf(row.id))))
      await audit.record(transaction, entryOf(requester, row, 'before'));
  });
}

/** Returns the audit entry. `after`: the experiment was added; `before`: it was deleted. */
function entryOf(requester: Requester, { id, agentId, name }: NewExperiment, side: 'after' | 'before') {
  return {
    actor: authorOf(requester).actor,
    target: `agent:${agentId}`,
    action: 'agent.update' as const,
    diff: { experiment: { [side]: `${id}: ${name}` } },
    origin: requester.origin,
  };
}

function pairUp(baseline: readonly EvaluationRow[], candidate: readonly EvaluationRow[]): ExperimentRow[] {
  const names = [...new Set([...baseline, ...candidate].map(({ exampleName }) => exampleName))].toSorted();
  const of = (rows: readonly EvaluationRow[], name: string) => rows.find(({ exampleName }) => exampleName === name);
  return names.map((exampleName) => ({
    exampleName,
    baseline: of(baseline, exampleName),
    candidate: of(candidate, exampleName),
  }));
}

function armResult(row: EvaluationRow | undefined): ArmResult | undefined {
  return row === undefined ? undefined : { passed: row.evaluation?.passed ?? null, cost: row.cost };
}
