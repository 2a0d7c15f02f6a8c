import { type ColumnType, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workflowVersions: WorkflowVersionsTable;
  }
}

/** Released versions; the database refuses every change of them. */
export interface WorkflowVersionsTable {
  /** `wfh_…` */
  id: ColumnType<string, string, never>;
  workflowId: ColumnType<string, string, never>;
  /** 1, 2, 3 … of its workflow, in the order of release. */
  number: ColumnType<number, number, never>;
  /** What people call it; unique in its workflow. */
  tag: ColumnType<string, string, never>;
  /** As it was sent. */
  yamlContent: ColumnType<string, string, never>;
  /** What was read from the YAML, JSON. */
  definition: ColumnType<Record<string, unknown>, string, never>;
  /** SHA-256 of the YAML, hexadecimal. */
  contentHash: ColumnType<string, string, never>;
  notes: ColumnType<string | null, string | null, never>;
  /** See `actorOf`. */
  createdBy: ColumnType<string, string, never>;
  createdAt: ColumnType<Date, never, never>;
}

export type WorkflowVersion = Selectable<WorkflowVersionsTable>;

/** A version in lists: its YAML only where it is not large, so that a page of them stays small. */
export type ListedVersion = Pick<WorkflowVersion, 'id' | 'workflowId' | 'tag' | 'createdAt'> & {
  readonly yamlContent: string | null;
};

const LISTED_BYTES = 256 * 1024;

/** Newest first. */
export async function listVersions(
  db: Db,
  workflowId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: ListedVersion[]; total: number }> {
  const chosen = db.selectFrom('workflowVersions').where('workflowId', '=', workflowId);
  const [rows, counted] = await Promise.all([
    chosen
      .select(['id', 'workflowId', 'tag', 'createdAt'])
      .select(
        sql<string | null>`CASE WHEN octet_length(yaml_content) <= ${LISTED_BYTES} THEN yaml_content END`.as(
          'yamlContent',
        ),
      )
      .orderBy('number', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    chosen.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}

/** The id of a version by id, tag or `latest`, without reading what it says; for the current one nothing is asked. */
export async function findVersionId(
  db: Db,
  workflow: { readonly id: string; readonly currentVersionId: string },
  wanted: string,
): Promise<string | undefined> {
  if (wanted === 'latest' || wanted === workflow.currentVersionId) return workflow.currentVersionId;
  const found = await db
    .selectFrom('workflowVersions')
    .select('id')
    .where('workflowId', '=', workflow.id)
    .where(wanted.startsWith('wfh_') ? 'id' : 'tag', '=', wanted)
    .executeTakeFirst();
  return found?.id;
}

/** By id or tag; `latest` is the current one. Undefined when the workflow has none of that name. */
export function findVersion(
  db: Db,
  workflow: { readonly id: string; readonly currentVersionId: string },
  wanted: string,
): Promise<WorkflowVersion | undefined> {
  const id = wanted === 'latest' ? workflow.currentVersionId : wanted;
  return db
    .selectFrom('workflowVersions')
    .selectAll()
    .where('workflowId', '=', workflow.id)
    .where(id.startsWith('wfh_') ? 'id' : 'tag', '=', id)
    .executeTakeFirst();
}

/** The greatest number that was given; 0 for a workflow without versions. Call it with the workflow locked. */
export async function lastVersionNumber(transaction: Db, workflowId: string): Promise<number> {
  const { last } = await transaction
    .selectFrom('workflowVersions')
    .where('workflowId', '=', workflowId)
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Rejects with a violation of `workflow_versions_tag_key` when the tag is taken. */
export async function insertVersion(
  transaction: Db,
  version: Omit<WorkflowVersion, 'createdAt' | 'definition'> & { readonly definition: unknown },
): Promise<void> {
  await transaction
    .insertInto('workflowVersions')
    .values({ ...version, definition: JSON.stringify(version.definition) })
    .execute();
}
