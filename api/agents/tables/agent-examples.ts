import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';
import type { Comparison } from '../compare.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentExamples: AgentExamplesTable;
    agentExampleFiles: AgentExampleFilesTable;
  }
}

/** An example of the dataset of an agent: an input, and what is expected of it. */
export interface AgentExamplesTable {
  /** `awx_…` */
  id: string;
  agentId: string;
  /** Unique in its agent. */
  name: string;
  input: ColumnType<JsonValue, string, string>;
  expected: ColumnType<JsonValue, string | null, string | null>;
  /** How an output is compared with it. */
  comparison: Generated<Comparison>;
  /** The execution it was made of, if it was. */
  sourceExecutionId: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export interface AgentExampleFilesTable {
  exampleId: string;
  kind: 'input' | 'expected';
  path: string;
  contentHash: string;
  size: number;
  contentType: string;
  /** What the sender called it. */
  filename: Generated<string | null>;
}

export type AgentExample = Selectable<AgentExamplesTable>;
export type AgentExampleFile = Selectable<AgentExampleFilesTable>;

/** By name. */
export function listExamples(db: Db, agentId: string, names?: readonly string[]): Promise<AgentExample[]> {
  return db
    .selectFrom('agentExamples')
    .selectAll()
    .where('agentId', '=', agentId)
    .$if(names !== undefined, (query) => query.where('name', '=', sql<string>`ANY(${[...(names ?? [])]})`))
    .orderBy(sql`name COLLATE "C"`)
    .execute();
}

export function listExampleFiles(db: Db, exampleIds: readonly string[]): Promise<AgentExampleFile[]> {
  return db
    .selectFrom('agentExampleFiles')
    .selectAll()
    .where('exampleId', '=', sql<string>`ANY(${[...exampleIds]})`)
    .orderBy('kind')
    .orderBy(sql`path COLLATE "C"`)
    .execute();
}

/** How many other examples the agent has, without the one of this name, and their bytes of JSON. */
export async function sizeOfOtherExamples(
  db: Db,
  agentId: string,
  name: string,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    SELECT count(*) AS count, coalesce(sum(octet_length(input::text) + coalesce(octet_length(expected::text), 0)), 0)::bigint AS bytes
    FROM agent_examples WHERE agent_id = ${agentId} AND name <> ${name}`.execute(db);
  return rows[0] ?? { count: 0, bytes: 0 };
}

/** Adds an example or replaces the one of this name, files and all; resolves to its id, which stays. */
export async function putExample(
  db: Db,
  example: {
    readonly id: string;
    readonly agentId: string;
    readonly name: string;
    readonly input: JsonValue;
    readonly expected: JsonValue | null;
    readonly comparison: Comparison;
    readonly sourceExecutionId: string | null;
    readonly files: readonly Omit<AgentExampleFile, 'exampleId'>[];
  },
): Promise<string> {
  const { files, input, expected, ...row } = example;
  const texts = { input: JSON.stringify(input), expected: expected === null ? null : JSON.stringify(expected) };
  const { id } = await db
    .insertInto('agentExamples')
    .values({ ...row, ...texts })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'name']).doUpdateSet({
        ...texts,
        comparison: row.comparison,
        sourceExecutionId: row.sourceExecutionId,
        updatedAt: sql<Date>`now()`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('agentExampleFiles').where('exampleId', '=', id).execute();
  if (files.length > 0) {
    await db
      .insertInto('agentExampleFiles')
      .values(files.map((file) => ({ ...file, exampleId: id })))
      .execute();
  }
  return id;
}

/** False when no example has this name. */
export async function deleteExample(db: Db, agentId: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('agentExamples')
    .where('agentId', '=', agentId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
