import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { quoted } from '#analytics/clickhouse/table.ts';
import type { Answers } from './manifest.ts';
import type { TableGroup } from './order.ts';

/** A check query about one table. It runs on the backup and on the restored table. */
export interface Question {
  readonly name: string;
  readonly table: string;
  /** A SELECT whose columns are strings. `{table}` stands for the table. */
  readonly sql: string;
}

const IN_SHARD = ' in shard ';

/** Check queries besides row counts: sums over the content, and the data of lists and charts. */
const ABOUT_CONTENT: readonly Question[] = [
  {
    name: 'last offset and events by partition',
    table: 'events',
    sql: `SELECT toString(topic) AS name, toString(partition) AS lane, toString(max(offset)) AS last, toString(count()) AS events
      FROM {table} GROUP BY name, lane ORDER BY name, lane`,
  },
  {
    name: 'sum over all events',
    table: 'events',
    sql: 'SELECT toString(sum(cityHash64(topic, partition, offset, received, raw))) AS sum FROM {table}',
  },
  {
    name: 'events by type',
    table: 'events',
    sql: 'SELECT toString(type) AS type, toString(count()) AS events FROM {table} GROUP BY type ORDER BY type',
  },
  {
    name: 'sum over all detections',
    table: 'detection_records',
    sql: 'SELECT toString(sum(cityHash64(id, revision, received, object))) AS sum FROM {table}',
  },
  {
    name: 'detections by rule and severity',
    table: 'detection_records',
    sql: `SELECT tupleElement(rule, 'id') AS ruleId, toString(severity) AS level, toString(uniqExact(id)) AS detections
      FROM {table} GROUP BY ruleId, level ORDER BY ruleId, level`,
  },
  {
    name: 'dead letters by code',
    table: 'dead_letter_records',
    sql: 'SELECT toString(code) AS code, toString(count()) AS records FROM {table} GROUP BY code ORDER BY code',
  },
  {
    name: 'sum over all decisions',
    table: 'detection_triage',
    sql: "SELECT toString(sum(cityHash64(id, changed, status, ifNull(note, '')))) AS sum FROM {table}",
  },
];

/** Returns the check queries of the tables of a group. */
export function questionsOf({ tables }: Pick<TableGroup, 'tables'>): Question[] {
  return tables.flatMap((table) => [
    { name: `rows of ${table}`, table, sql: 'SELECT toString(count()) AS rows FROM {table}' },
    ...ABOUT_CONTENT.filter((question) => question.table === table),
  ]);
}

/** Runs the check queries on the tables of a database, which may have the engine Backup. */
export async function ask(clickhouse: ClickHouse, database: string, questions: readonly Question[]): Promise<Answers> {
  const answers: Answers = {};
  for (const { name, table, sql } of questions)
    answers[name] = await clickhouse.rows(
      `answer "${name}"`,
      sql.replaceAll('{table}', `${quoted(database)}.${quoted(table)}`),
      { settings: { optimize_use_projections: 0 } },
    );
  return answers;
}

/** Returns the name of a check query for one shard of a cluster. */
function nameInShard(name: string, shard: string | undefined): string {
  return shard === undefined ? name : `${name}${IN_SHARD}${shard}`;
}

/** Adds the name of the shard to the check results of one shard. */
export function namedForShard(answers: Answers, shard: string | undefined): Answers {
  return Object.fromEntries(Object.entries(answers).map(([name, rows]) => [nameInShard(name, shard), rows]));
}

/** Returns the result rows of a check query, of all shards together. */
export function rowsOfAll(answers: Answers, name: string): Answers[string] {
  return Object.entries(answers).flatMap(([key, rows]) =>
    key === name || key.startsWith(`${name}${IN_SHARD}`) ? rows : [],
  );
}

/** Returns one line for each check query whose results differ. */
export function answerDifferences(expected: Answers, found: Answers): string[] {
  return Object.entries(expected)
    .filter(([name, rows]) => JSON.stringify(rows) !== JSON.stringify(found[name]))
    .map(([name, rows]) => `${name}: ${brief(rows)} in the backup, ${brief(found[name] ?? [])} restored`);
}

/** Returns the last offset of each partition of a topic. */
export function marksOf(answers: Answers, topic: string): ReadonlyMap<number, number> {
  const rows = rowsOfAll(answers, 'last offset and events by partition');
  return new Map(rows.filter((row) => row.name === topic).map((row) => [Number(row.lane), Number(row.last)]));
}

/** Formats a result as one short string. */
export function brief(rows: Answers[string]): string {
  const text = rows.map((row) => Object.values(row).join(' ')).join(', ');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || 'nothing';
}
