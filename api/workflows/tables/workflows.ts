import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { grantsOf, mayDoSql, userMaySql } from '#api/sharing/conditions.ts';
import type { Permission } from '#api/sharing/permissions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workflows: WorkflowsTable;
  }
}

export const WORKFLOW_KINDS = ['workflow', 'block'] as const;
export type WorkflowKind = (typeof WORKFLOW_KINDS)[number];

/** `private`: only for the owner. `shared`: all users who may read and run workflows have access. */
export const VISIBILITIES = ['private', 'shared'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A workflow, or a block for use in workflows. Its content is in its versions. */
export interface WorkflowsTable {
  /** `wf_…` */
  id: string;
  /** Unique name. */
  slug: string;
  kind: WorkflowKind;
  /** Null for the operator of the installation, which has no user account. */
  ownerId: string | null;
  visibility: Generated<Visibility>;
  currentVersionId: string;
  /** When it was deleted; null if it is active. */
  archivedAt: Generated<Date | null>;
  /** Null if it is not paused. */
  pausedAt: Date | null;
  /** See `actorOf`. */
  pausedBy: string | null;
  pauseReason: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type Workflow = Selectable<WorkflowsTable>;

/** A workflow with the grants of the viewer on it. */
export type SeenWorkflow = Workflow & { readonly grants: readonly Permission[] };

const ROW = { kind: 'workflow', alias: 'workflows' } as const;

export interface WorkflowFilters {
  /** Substring of the slug, case-insensitive. */
  readonly search?: string | undefined;
  /** The exact slug. */
  readonly name?: string | undefined;
  readonly kind?: readonly WorkflowKind[] | undefined;
  /** True to include deleted workflows. */
  readonly includeArchived?: boolean | undefined;
  /** True to include the titles of definitions, which the search then covers too. */
  readonly titles?: boolean | undefined;
}

/** A workflow with the tag of its current version. */
export type ListedWorkflow = Workflow & { readonly version: string; readonly title?: string | null };

const TITLE = sql<string | null>`(workflow_versions.definition #>> '{document,title}')`;

/** Returns the visible workflows, by slug. `total` counts all matches of the filters. */
export async function listWorkflows(
  db: Db,
  viewer: Viewer,
  { search, name, kind, includeArchived = false, titles = false }: WorkflowFilters,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: ListedWorkflow[]; total: number }> {
  const pattern = `%${(search ?? '').toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const chosen = db
    .selectFrom('workflows')
    .innerJoin('workflowVersions', 'workflowVersions.id', 'workflows.currentVersionId')
    .where(mayDoSql(viewer, 'view', ROW))
    .$if(!includeArchived, (query) => query.where('archivedAt', 'is', null))
    .$if(search !== undefined, (query) =>
      titles
        ? query.where(sql<boolean>`(slug LIKE ${pattern} OR lower(${TITLE}) LIKE ${pattern})`)
        : query.where('slug', 'like', pattern),
    )
    .$if(name !== undefined, (query) => query.where('slug', '=', name as string))
    .$if(kind !== undefined, (query) => query.where('kind', 'in', [...(kind ?? [])]));
  const [rows, counted] = await Promise.all([
    chosen
      .selectAll('workflows')
      .select('workflowVersions.tag as version')
      .$if(titles, (query) => query.select(TITLE.as('title')))
      .orderBy('slug')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    chosen.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}

const MAX_PAUSED = 1_000;

/** Returns the visible paused workflows, most recently paused first. */
export function listPaused(db: Db, viewer: Viewer): Promise<Workflow[]> {
  return db
    .selectFrom('workflows')
    .selectAll()
    .where('pausedAt', 'is not', null)
    .where(mayDoSql(viewer, 'view', ROW))
    .orderBy('pausedAt', 'desc')
    .limit(MAX_PAUSED)
    .execute();
}

/**
 * Lists the columns, because a column that a later version adds would change the result type of a prepared statement.
 */
const COLUMNS = [
  'id',
  'slug',
  'kind',
  'ownerId',
  'visibility',
  'currentVersionId',
  'archivedAt',
  'pausedAt',
  'pausedBy',
  'pauseReason',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Workflow)[];

/**
 * Finds a workflow by id or slug. Returns undefined if it does not exist or is invisible to the viewer. Each start of a workflow runs this statement. It is
 * prepared, because planning it takes ten times as long as executing it.
 */
export async function findWorkflow(db: Db, viewer: Viewer, idOrSlug: string): Promise<SeenWorkflow | undefined> {
  const column = idOrSlug.startsWith('wf_') ? 'id' : 'slug';
  const query = db
    .selectFrom('workflows')
    .select(COLUMNS)
    .select(grantsOf(viewer, ROW).as('grants'))
    .where(column, '=', idOrSlug)
    .where(mayDoSql(viewer, 'view', ROW));
  const name = sql.raw(`find-workflow-by-${column}${viewer.administrator ? '-as-administrator' : ''}`);
  const { rows } = await sql<SeenWorkflow>`/* prepared: ${name} */ ${query}`.execute(db);
  return rows[0];
}

/** Returns the slugs that exist and that the owner of a definition may run. */
export async function visibleSlugs(db: Db, viewer: Viewer, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('workflows')
    .select('slug')
    .where('slug', '=', sql<string>`ANY(${[...slugs]})`)
    .where('archivedAt', 'is', null)
    .where(mayDoSql(viewer, 'run', ROW))
    .execute();
  return new Set(rows.map(({ slug }) => slug));
}

/** Returns the workflow of this slug, of any owner, and locks it until the transaction ends. */
export function lockWorkflow(transaction: Db, viewer: Viewer, slug: string): Promise<SeenWorkflow | undefined> {
  return transaction
    .selectFrom('workflows')
    .selectAll()
    .select(grantsOf(viewer, ROW).as('grants'))
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst();
}

/** Rejects with a violation of `workflows_slug_key` if the slug is taken. */
export function insertWorkflow(
  transaction: Db,
  workflow: Pick<Workflow, 'id' | 'slug' | 'kind' | 'ownerId' | 'visibility' | 'currentVersionId'>,
): Promise<Workflow> {
  return transaction.insertInto('workflows').values(workflow).returningAll().executeTakeFirstOrThrow();
}

export function updateWorkflow(
  transaction: Db,
  id: string,
  change: Partial<Pick<Workflow, 'kind' | 'visibility' | 'currentVersionId' | 'archivedAt'>>,
): Promise<Workflow> {
  return transaction
    .updateTable('workflows')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a workflow: it is neither listed nor run until it is released again. */
export async function archiveWorkflow(transaction: Db, id: string): Promise<void> {
  await transaction
    .updateTable('workflows')
    .set({ archivedAt: sql<Date>`now()`, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Returns the workflow of this slug if an owner may run it. The operator and current administrators may run all. */
export function findRunnable(db: Db, ownerId: string | null, slug: string): Promise<Workflow | undefined> {
  return db
    .selectFrom('workflows')
    .selectAll()
    .where('slug', '=', slug)
    .where('archivedAt', 'is', null)
    .$if(ownerId !== null, (query) =>
      query.where(
        sql<boolean>`(${userMaySql(sql`${ownerId}::uuid`, 'run', ROW)}
          OR EXISTS (SELECT FROM users WHERE id = ${ownerId} AND role = 'admin' AND NOT disabled))`,
      ),
    )
    .executeTakeFirst();
}
