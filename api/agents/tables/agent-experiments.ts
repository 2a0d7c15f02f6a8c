import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Check } from '../evaluation/checks.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentExperiments: AgentExperimentsTable;
  }
}

/** One of the two versions of an experiment. */
export interface ExperimentArm {
  /** Version of the workspace. */
  readonly version: number;
  /** Keys that override the configuration of the agent. */
  readonly config: Record<string, unknown>;
}

/** Two versions of an agent over the same examples. The batch ids of their runs are those of `batchesOf`. */
export interface AgentExperimentsTable {
  /** `awp_…` */
  id: string;
  agentId: string;
  name: string;
  baseline: ColumnType<ExperimentArm, string, never>;
  candidate: ColumnType<ExperimentArm, string, never>;
  /** The checks at the start of the experiment. */
  checks: ColumnType<Check[], string, never>;
  /** Number of examples that each version runs over. */
  examples: number;
  createdBy: string;
  createdAt: Generated<Date>;
}
export type Experiment = Selectable<AgentExperimentsTable>;

export async function insertExperiment(
  transaction: Db,
  { baseline, candidate, checks, ...row }: Omit<Experiment, 'createdAt'>,
): Promise<void> {
  const json = {
    baseline: JSON.stringify(baseline),
    candidate: JSON.stringify(candidate),
    checks: JSON.stringify(checks),
  };
  await transaction
    .insertInto('agentExperiments')
    .values({ ...row, ...json })
    .execute();
}

/** Deletes an experiment if none of its batches has a run. Otherwise returns false. */
export async function deleteUnlessStarted(transaction: Db, id: string, batchIds: readonly string[]): Promise<boolean> {
  const deleted = await transaction
    .deleteFrom('agentExperiments')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agentExecutions')
            .select('executionId')
            .whereRef('agentExecutions.agentId', '=', 'agentExperiments.agentId')
            .where('agentExecutions.batchId', 'in', batchIds),
        ),
      ),
    )
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Returns experiments, newest first. */
export function listExperiments(
  db: Db,
  agentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Experiment[]> {
  return db
    .selectFrom('agentExperiments')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countExperiments(db: Db, agentId: string): Promise<number> {
  const { total } = await db
    .selectFrom('agentExperiments')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('agentId', '=', agentId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export function findExperiment(db: Db, agentId: string, id: string): Promise<Experiment | undefined> {
  return db
    .selectFrom('agentExperiments')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst();
}
