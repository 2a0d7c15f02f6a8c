import type { Detection } from '#schemas/detection.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { ClickHouse } from './client.ts';

/** A detection with the reason, time and message id of its delivery. */
export interface DeliveredDetection {
  /** Message id. A repeated message has the same id. */
  readonly delivery: string;
  readonly cause: string;
  readonly at: Date;
  readonly detection: Detection;
}

/** Named like the columns of an export; see `read-models/parquet.ts`. */
const COLUMNS = [
  'delivery String',
  'cause String',
  "at DateTime64(3, 'UTC')",
  'id String',
  'revision UInt64',
  'ruleId String',
  'ruleVersion UInt64',
  'ruleName String',
  'severity String',
  'hostname Nullable(String)',
  'procname Nullable(String)',
  'file Nullable(String)',
  'register Nullable(String)',
  "firstSeen DateTime64(9, 'UTC')",
  "lastSeen DateTime64(9, 'UTC')",
  'crashes UInt64',
  'suppressedAtLeast UInt64',
  'message String',
  'values Array(String)',
  'valuesTotal UInt64',
  'attack Array(Tuple(tactic String, technique String, name String))',
  'evidenceCount UInt64',
  'status String',
  'verdict Nullable(String)',
  'assignee Nullable(String)',
  'note Nullable(String)',
  'exception Nullable(String)',
  'executable Nullable(String)',
  'buildId Nullable(String)',
  'uid Nullable(UInt64)',
  'parent Nullable(String)',
  'unit Nullable(String)',
  'container Nullable(String)',
  'pod Nullable(String)',
  'event Nullable(String)',
  'hosts Array(String)',
  'hostsTotal UInt64',
  'riskScore Nullable(Float64)',
].join(', ');

/** Returns detections as a Parquet file, in the given order. ClickHouse encodes the file and stores nothing. */
export async function detectionsAsParquet(
  clickhouse: ClickHouse,
  delivered: readonly DeliveredDetection[],
  signal?: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const bytes = clickhouse.bytes(
    'encode detections',
    'SELECT * FROM format(JSONEachRow, {columns:String}, {rows:String}) FORMAT Parquet',
    {
      params: { columns: COLUMNS, rows: delivered.map(rowOf).join('\n') },
      settings: { date_time_input_format: 'best_effort' },
      ...(signal ? { signal } : {}),
    },
  );
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function rowOf({ delivery, cause, at, detection }: DeliveredDetection): string {
  const { rule, risk, event, ...fields } = detection;
  return JSON.stringify({
    ...fields,
    delivery,
    cause,
    at: at.toISOString(),
    ruleId: rule.id,
    ruleVersion: rule.version,
    ruleName: rule.name,
    riskScore: risk?.score ?? null,
    event: event === null ? null : stringifyExact(event),
  });
}
