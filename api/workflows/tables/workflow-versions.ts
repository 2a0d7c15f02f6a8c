import { type ColumnType, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workflowVersions: WorkflowVersionsTable;
  }
}

/** Released versions. The database rejects all changes to them. */
export interface WorkflowVersionsTable {
  /** `wfh_…` */
  id: ColumnType<string, string, never>;
  workflowId: ColumnType<string, string, never>;
  /** 1, 2, 3 … per workflow, in order of release. */
  number: ColumnType<number, number, never>;
  /** Name for people, unique per workflow. */
  tag: ColumnType<string, string, never>;
  /** The text as it was sent. */
  yamlContent: ColumnType<string, string, never>;
  /** The parsed YAML, as JSON. */
  definition: ColumnType<Record<string, unknown>, string, never>;
  /** SHA-256 of the YAML, hexadecimal. */
  contentHash: ColumnType<string, string, never>;
  notes: ColumnType<string | null, string | null, never>;
  /** See `actorOf`. */
  createdBy: ColumnType<string, string, never>;
  createdAt: ColumnType<Date, never, never>;
}

export type WorkflowVersion = Selectable<WorkflowVersionsTable>;

/** A version for lists. Its YAML is included only if it is small, which bounds the size of a page. */
export type ListedVersion = Pick<WorkflowVersion, 'id' | 'workflowId' | 'tag' | 'createdAt'> & {
  readonly yamlContent: string | null;
};

const LISTED_BYTES = 256 * 1024;

/** Returns versions, newest first. */
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

/**
 * Returns the id of a version by id, tag or `latest`, without reading its content. Needs no query for the current
 * version.
 */
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

/** Finds a version by id or tag; `latest` is the current one. Returns undefined if the workflow has no such version. */
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

/** Returns the highest version number; 0 if there are no versions. The workflow must be locked. */
export async function lastVersionNumber(transaction: Db, workflowId: string): Promise<number> {
  const { last } = await transaction
    .selectFrom('workflowVersions')
    .where('workflowId', '=', workflowId)
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Rejects with a violation of `workflow_versions_tag_key` if the tag is taken. */
export async function insertVersion(
  transaction: Db,
  version: Omit<WorkflowVersion, 'createdAt' | 'definition'> & { readonly definition: unknown },
): Promise<void> {
  await transaction
    .insertInto('workflowVersions')
    .values({ ...version, definition: JSON.stringify(version.definition) })
    .execute();
}
