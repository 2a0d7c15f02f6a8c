import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { grantsOf, mayDoSql } from '#api/sharing/conditions.ts';
import type { Permission } from '#api/sharing/permissions.ts';
import type { Visibility } from '#api/workflows/tables/workflows.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agents: AgentsTable;
  }
}

/** An agent. Its behaviour is in its configuration and its workspace (`agent_files`). */
export interface AgentsTable {
  /** `awf_…` */
  id: string;
  /** Unique. */
  slug: string;
  name: string;
  description: string;
  config: ColumnType<Record<string, unknown>, string, string>;
  /** Null for the operator of the installation, which has no user account. */
  ownerId: string | null;
  visibility: Generated<Visibility>;
  /** Version of the workspace: increments with each change, 0 before the first. */
  latestVersion: Generated<number>;
  /** Hash of all paths and contents of that version. */
  latestCommit: Generated<string | null>;
  archivedAt: Generated<Date | null>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type Agent = Selectable<AgentsTable>;

/** An agent with the grants of the viewer on it. */
export type SeenAgent = Agent & { readonly grants: readonly Permission[] };

/** Whose agents are visible: all (administrators), or those that one user may see. */
export type Viewer = { readonly all: true } | { readonly all: false; readonly userId: string };

/** Condition for visible agents. Includes archived ones, because their executions still refer to them. */
function visible(viewer: Viewer) {
  return mayDoSql(asSharing(viewer), 'view', ROW);
}

const ROW = { kind: 'agent', alias: 'agents' } as const;

/** Converts the viewer for the sharing rules. */
export function asSharing(viewer: Viewer) {
  return { userId: viewer.all ? undefined : viewer.userId, administrator: viewer.all };
}

/** Finds an agent by id or slug. Returns undefined if it does not exist or is invisible to the viewer. */
export function findAgent(db: Db, idOrSlug: string, viewer: Viewer): Promise<SeenAgent | undefined> {
  return selectAgent(db, idOrSlug, viewer).executeTakeFirst();
}

/** Like `findAgent`, and locks it against changes until the transaction ends. */
export function lockAgent(db: Db, idOrSlug: string, viewer: Viewer): Promise<SeenAgent | undefined> {
  return selectAgent(db, idOrSlug, viewer).forUpdate().executeTakeFirst();
}

function selectAgent(db: Db, idOrSlug: string, viewer: Viewer) {
  return db
    .selectFrom('agents')
    .selectAll()
    .select(grantsOf(asSharing(viewer), ROW).as('grants'))
    .where(idOrSlug.startsWith('awf_') ? 'id' : 'slug', '=', idOrSlug)
    .where(visible(viewer));
}

/** Rejects with a violation of `agents_slug_key` if the slug is taken. */
export function insertAgent(
  db: Db,
  agent: Pick<Agent, 'id' | 'slug' | 'name' | 'description' | 'config' | 'ownerId' | 'visibility'>,
): Promise<Agent> {
  return db
    .insertInto('agents')
    .values({ ...agent, config: JSON.stringify(agent.config) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface AgentChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly config?: Record<string, unknown> | undefined;
  readonly visibility?: Visibility | undefined;
  readonly archived?: boolean | undefined;
}

/** Updates an agent and returns it. Undefined members are unchanged. */
export function updateAgent(db: Db, id: string, change: AgentChange): Promise<Agent> {
  const { name, description, config, visibility, archived } = change;
  return db
    .updateTable('agents')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(config === undefined ? {} : { config: JSON.stringify(config) }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(archived === undefined ? {} : { archivedAt: archived ? sql<Date>`coalesce(archived_at, now())` : null }),
      updatedAt: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface AgentStatistics {
  readonly exampleCount: number;
  readonly totalExecutions: number;
  readonly lastExecutionAt: Date | null;
  /** Average of the ended executions; null if no execution has ended. */
  readonly avgDurationMs: number | null;
  /** Average of those with a known cost. */
  readonly avgCredits: number | null;
}

export type AgentWithStatistics = Agent & { readonly statistics: AgentStatistics };

export interface AgentListQuery {
  readonly viewer: Viewer;
  /** Substring of id, slug, name or description, case-insensitive. */
  readonly search?: string | undefined;
  readonly includeArchived: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Returns agents, newest first. The counts of executions are maintained by the database. */
export async function listAgents(
  db: Db,
  { viewer, search, includeArchived, limit, offset }: AgentListQuery,
): Promise<{ agents: AgentWithStatistics[]; total: number }> {
  const like = search === undefined ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const chosen = db
    .selectFrom('agents')
    .where(visible(viewer))
    .$if(!includeArchived, (query) => query.where('archivedAt', 'is', null))
    .$if(like !== undefined, (query) =>
      query.where(
        sql<boolean>`(name ILIKE ${like} OR slug ILIKE ${like} OR description ILIKE ${like} OR id ILIKE ${like})`,
      ),
    );
  const [page, { total }] = await Promise.all([
    chosen.selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(limit).offset(offset).execute(),
    chosen.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const statistics = await agentStatistics(
    db,
    page.map(({ id }) => id),
  );
  return { agents: page.map((agent) => ({ ...agent, statistics: statistics.get(agent.id) ?? NO_STATISTICS })), total };
}

/** Statistics of an agent that was never run. */
export const NO_STATISTICS: AgentStatistics = {
  exampleCount: 0,
  totalExecutions: 0,
  lastExecutionAt: null,
  avgDurationMs: null,
  avgCredits: null,
};

/** Returns the counts of each of these agents. */
export async function agentStatistics(db: Db, agentIds: readonly string[]): Promise<Map<string, AgentStatistics>> {
  const { rows } = await sql<AgentStatistics & { id: string }>`
    SELECT wanted.id,
      (SELECT count(*) FROM agent_examples WHERE agent_id = wanted.id) AS example_count,
      coalesce(sum(executions), 0)::float8 AS total_executions, max(last_execution_at) AS last_execution_at,
      sum(duration_ms) / nullif(sum(finished), 0)::float8 AS avg_duration_ms,
      sum(credits) / nullif(sum(finished) - sum(unpriced), 0)::float8 AS avg_credits
    FROM unnest(${[...agentIds]}::text[]) AS wanted (id) LEFT JOIN agent_statistics ON agent_id = wanted.id
    GROUP BY wanted.id`.execute(db);
  return new Map(rows.map(({ id, ...statistics }) => [id, statistics]));
}
