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

/** An example of the dataset of an agent: an input and its expectation. */
export interface AgentExamplesTable {
  /** `awx_…` */
  id: string;
  agentId: string;
  /** Unique per agent. */
  name: string;
  input: ColumnType<JsonValue, string, string>;
  expected: ColumnType<JsonValue, string | null, string | null>;
  /** How to compare an output with the expectation. */
  comparison: Generated<Comparison>;
  /** The execution from which it was created, if any. */
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
  /** File name that the sender gave. */
  filename: Generated<string | null>;
}

export type AgentExample = Selectable<AgentExamplesTable>;
export type AgentExampleFile = Selectable<AgentExampleFilesTable>;

/** Returns examples, by name. */
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

/** Returns the number and JSON size of the examples of the agent, without the one of this name. */
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

/** Inserts or replaces an example by name, including its files. Resolves to its id, which stays the same. */
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

/** Returns false if no example has this name. */
export async function deleteExample(db: Db, agentId: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('agentExamples')
    .where('agentId', '=', agentId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
