import { sql } from 'kysely';
import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { continuedTraces } from '#api/detections/tail/continued-traces.ts';
import { tailState } from '#api/detections/tail/detection-output.ts';
import { claimCursor, ensureCursor, moveCursor } from '#api/detections/tail/output-cursors.ts';
import { readTail, tailFrom } from '#api/detections/tail/read-tail.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import type { Detection } from '#schemas/detection.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { storedTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { NO_TRACING, type Tracing } from '#schemas/tracing/tracing.ts';
import {
  appendMessages,
  type NewOutputMessage,
  noteClosings,
  noteRevisions,
  unsentClosings,
} from './tables/output-messages.ts';
import { anyOutput } from './tables/outputs.ts';

/** Name of the cursor of collected detections. */
const CURSOR = 'outputs';
/** Maximum time after which a decision becomes visible, when its transaction is committed. */
const CLOSING_OVERLAP_MS = 60_000;
const CLOSINGS_AT_ONCE = 500;

const collectState = z.object({ tail: tailState, closings: z.object({ beganMs: z.number(), toldMs: z.number() }) });

/**
 * Creates the cursor for the first output. Collection begins with detections that are stored from now on. The clocks of
 * the PostgreSQL and ClickHouse servers agree.
 */
export async function beginCollecting(transaction: Db): Promise<void> {
  const nowMs = await databaseClock(transaction);
  const state = { tail: tailFrom(nowMs), closings: { beganMs: nowMs, toldMs: nowMs } };
  await ensureCursor(transaction, CURSOR, state);
  await moveCursor(transaction, CURSOR, state);
}

/**
 * Appends detections that were stored, grew or were closed since the last call to the journal that all outputs read.
 * Journal and cursor change in one transaction, in the process that holds the lock of the cursor. Each revision and
 * each closing is added once, and later entries have greater numbers. Resolves to the number of entries.
 */
export async function collectMessages(
  {
    clickhouse,
    database,
    tracing = NO_TRACING,
  }: { readonly clickhouse: ClickHouse; readonly database: Database; readonly tracing?: Tracing },
  { againMs }: { readonly againMs: number },
): Promise<{ readonly collected: number; readonly more: boolean }> {
  if (!(await anyOutput(database))) return { collected: 0, more: false };
  return database.transaction().execute(async (transaction) => {
    const cursor = await claimCursor(transaction, CURSOR);
    if (cursor === undefined) return { collected: 0, more: false };
    const { tail, closings } = collectState.parse(cursor.state);
    const nowMs = await databaseClock(transaction);
    // A process of version 0.2.0 with a wrong clock may have stored a future position.
    const [beganMs, toldMs] = [Math.min(closings.beganMs, nowMs), Math.min(closings.toldMs, nowMs)];
    const read = await readTail(clickhouse, tail, { againMs });
    const traces = await continuedTraces({ clickhouse, tracing }, read.detections);
    const grown = await newRevisions(transaction, read.detections, traces);
    const since = new Date(Math.max(beganMs, toldMs - CLOSING_OVERLAP_MS));
    const closed = await newClosings(clickhouse, transaction, since);
    const messages = [...grown, ...closed.messages];
    await appendMessages(transaction, messages);
    await moveCursor(transaction, CURSOR, {
      tail: read.state,
      closings: { beganMs, toldMs: closed.more ? toldMs : nowMs },
    });
    return { collected: messages.length, more: read.more || closed.more };
  });
}

/** Returns the time of PostgreSQL, which decisions have, in epoch milliseconds. The clock of this process can differ. */
async function databaseClock(transaction: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL returned no row');
  return row.ms;
}

async function newRevisions(
  transaction: Db,
  detections: readonly Detection[],
  traces: ReadonlyMap<string, TraceContext>,
): Promise<NewOutputMessage[]> {
  const causes = await noteRevisions(transaction, detections);
  return detections.flatMap((detection) => {
    const cause = causes.get(detection.id);
    return cause === undefined ? [] : [messageOf(detection, cause, traces.get(detection.id))];
  });
}

/** Reads decisions from PostgreSQL, because the copy in ClickHouse can be older. Silenced detections are not sent. */
async function newClosings(clickhouse: ClickHouse, transaction: Db, since: Date) {
  const closings = await unsentClosings(transaction, since, CLOSINGS_AT_ONCE);
  const found = await getDetections(
    clickhouse,
    closings.map(({ detectionId }) => detectionId),
  );
  const byId = new Map(found.map((detection) => [detection.id, detection]));
  const noted = closings.flatMap(({ detectionId, version, verdict, assignee, note }) => {
    const detection = byId.get(detectionId);
    if (detection === undefined) return [];
    const { revision, exception } = detection;
    const message = messageOf({ ...detection, status: 'closed', verdict, assignee, note }, 'closed');
    return [{ note: { detectionId, version, revision }, message, silenced: exception !== null }];
  });
  await noteClosings(
    transaction,
    noted.map((one) => one.note),
  );
  return {
    messages: noted.filter(({ silenced }) => !silenced).map(({ message }) => message),
    more: closings.length === CLOSINGS_AT_ONCE && noted.length > 0,
  };
}

function messageOf(
  detection: Detection,
  cause: NewOutputMessage['cause'],
  trace?: TraceContext | undefined,
): NewOutputMessage {
  return {
    detectionId: detection.id,
    revision: detection.revision,
    cause,
    severity: detection.severity,
    rule: detection.rule.id,
    hostname: detection.hostname,
    detection: stringifyExact(detection),
    trace: storedTrace(trace),
  };
}
