import { availableParallelism, loadavg } from 'node:os';
import { sql } from 'kysely';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { HEADERS, TOPICS } from '#schemas/topics.ts';
import { factsOf } from '#test/support/detection-facts.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { repeatedEnds } from '../executions-oracle.ts';
import { caughtUpRows, distinct, replicaDifferences, settledShards } from '../oracle.ts';
import { clusterStore, type OracleStore } from '../oracle-store.ts';
import type { Evidence, ExecutionRow } from './compare.ts';
import { DATABASE, type Installation } from './installation.ts';
import { type Load, ON_DETECTION, WAITER } from './load.ts';
import { settle } from './settle.ts';

const FLEET_SCAN = 'fleet-scan';
/** Poll interval after the faults, and the time without any progress after which the wait fails. */
const EVERY_MS = 1000;
const STALLED_MS = 480_000;
const PATIENCE = { timeoutMs: STALLED_MS, everyMs: EVERY_MS };
/** Runnable programs per processor from which on a process may exceed its time to end. */
const OVERLOAD = 4;

export interface CollectOptions {
  /** Operator key. */
  readonly key: string;
  /** True for the last comparison: the processes are ended before everything is read. */
  readonly isLast: boolean;
  readonly print: (line: string) => void;
}

/** Waits until everything that was accepted is stored and has ended. Then reads all evidence. */
export async function collect(
  installation: Installation,
  load: Load,
  { key, isLast, print }: CollectOptions,
): Promise<Evidence> {
  const { kafka, clickHouse, databaseUrl, apiUrls } = installation;
  const store = clusterStore(clickHouse, DATABASE);
  const database = createDatabase({ url: databaseUrl, connections: 2, statementTimeoutMs: 60_000 });
  try {
    const topic = await readTopic(kafka.brokers, TOPICS.events);
    const problems: string[] = [];
    const settled = async (what: string, left: () => Promise<number>): Promise<void> => {
      const startedAt = performance.now();
      await settle(what, { left, stalledMs: STALLED_MS, everyMs: EVERY_MS }).catch((error: Error) =>
        problems.push(`${error.message}: ${String(error.cause ?? '')}`),
      );
      print(`waited ${Math.round((performance.now() - startedAt) / 1000)} s for ${what}`);
    };
    // Repeated requests stay on the topic but are stored once.
    const ids = new Set(
      topic.map(({ headers, partition, offset }) => String(headers[HEADERS.ingestId] ?? `${partition}/${offset}`)),
    );
    await settled('all records to be stored', async () => Math.max(0, ids.size - (await countStored(store))));
    await settled('all executions to end', () => countOpen(database));
    let known: readonly string[] = [];
    await settled('each detection to start its workflow', async () => {
      const started = new Set(await startedFor(database));
      known = (await detectionsOf(store)).ids;
      return known.filter((id) => !started.has(id)).length;
    });
    await settled('all executions to end', () => countOpen(database));
    const audit = await waitFor('the audit log', () => verifyAudit(apiUrls, key), PATIENCE);
    const exitCodes = isLast ? await installation.endProcesses() : new Map<string, number>();
    const shards = await settledShards(() =>
      Promise.all(
        store.copies.map((copies) =>
          Promise.all(copies.map((copy) => waitFor('a replica to catch up', () => caughtUpRows(copy), PATIENCE))),
        ),
      ),
    );
    const first = shards.flatMap(([replica]) => (replica === undefined ? [] : [replica]));
    const published = await readTopic(kafka.brokers, TOPICS.detections);
    const detections = await detectionsOf(store);
    const started = await startedFor(database);
    return {
      topic,
      events: first.flatMap(({ events }) => events),
      deadLetters: first.flatMap(({ deadLetters }) => deadLetters),
      numbers: await numbersOf(store),
      detections: detections.ofTracker,
      // Excludes detections that were found so late that their workflow had no time to start.
      detectionIds: detections.ids.filter((id) => known.includes(id) || started.includes(id)),
      published: distinct(
        published.map(
          ({ headers }) => `${String(headers[HEADERS.detectionId])} ${String(headers[HEADERS.detectionRevision])}`,
        ),
      ),
      replicaDifferences: replicaDifferences(shards),
      acknowledged: load.records,
      accepted: load.events,
      executions: load.executions,
      executionRows: await executionsOf(database),
      repeatedEnds: await repeatedEnds(database),
      startedFor: started,
      exceptions: load.exceptions,
      ...(await exceptionsOf(database)),
      auditBroken: audit.broken,
      auditVerified: audit.verified,
      refusals: load.refusals,
      unsettled: problems,
      exitCodes,
      isOverloaded: (loadavg()[0] ?? 0) > OVERLOAD * availableParallelism(),
    };
  } finally {
    await Promise.all([database.destroy(), store.clickhouse.close()]);
  }
}

async function countStored({ clickhouse }: OracleStore): Promise<number> {
  const [row] = await clickhouse.rows<{ stored: string }>(
    'count what is stored',
    `SELECT (SELECT uniqExact(partition, offset) FROM ${clickhouse.table('events')})
          + (SELECT uniqExact(partition, offset) FROM ${clickhouse.table('dead_letters')}) AS stored`,
  );
  return Number(row?.stored);
}

async function numbersOf({ clickhouse }: OracleStore): Promise<number[]> {
  const rows = await clickhouse.rows<{ n: string }>(
    'read the numbers of events',
    `SELECT JSONExtractUInt(raw, 'n') AS n FROM ${clickhouse.table('events')}`,
  );
  return rows.map(({ n }) => Number(n));
}

/**
 * `ofTracker`: detections that `ingest` derived from the stream. The other detections, scans spread over hosts, are
 * found by a job of `worker` at times that depend on its schedule.
 */
async function detectionsOf({ clickhouse }: OracleStore) {
  const rows = await clickhouse.rows<{ readonly rule: { readonly id: string } }>(
    'read detections',
    `SELECT * FROM ${clickhouse.table('detections')}`,
  );
  const sorted = (of: readonly object[]) => of.map(factsOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  const ofTracker = sorted(rows.filter(({ rule }) => rule.id !== FLEET_SCAN));
  return { ofTracker, ids: sorted(rows).map(({ id }) => id) };
}

async function countOpen(database: Database): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    SELECT count(*)::int AS open FROM executions WHERE completed_at IS NULL`.execute(database);
  return rows[0]?.open ?? 0;
}

async function executionsOf(database: Database): Promise<ExecutionRow[]> {
  const { rows } = await sql<ExecutionRow>`
    SELECT executions.id, executions.status, (trigger_input->>'n')::int AS n, result FROM executions
    JOIN workflows ON workflows.id = workflow_id WHERE workflows.slug = ${WAITER}`.execute(database);
  return rows;
}

async function startedFor(database: Database): Promise<string[]> {
  const { rows } = await sql<{ result: { detections?: readonly string[] } | null }>`
    SELECT result FROM executions
    JOIN workflows ON workflows.id = workflow_id WHERE workflows.slug = ${ON_DETECTION}`.execute(database);
  return rows.flatMap(({ result }) => result?.detections ?? []);
}

async function exceptionsOf(
  database: Database,
): Promise<{ readonly exceptionRows: string[]; readonly auditedExceptions: string[] }> {
  const kept = await sql<{ id: string }>`SELECT id::text FROM detection_exceptions`.execute(database);
  const audited = await sql<{ target: string }>`
    SELECT target FROM audit_log WHERE action = 'exception.create'`.execute(database);
  return {
    exceptionRows: kept.rows.map(({ id }) => id),
    auditedExceptions: audited.rows.map(({ target }) => target.replace('exception:', '')),
  };
}

interface AuditVerification {
  readonly broken: unknown;
  readonly verified: number;
}

async function verifyAudit(apiUrls: readonly string[], key: string): Promise<AuditVerification | undefined> {
  for (const url of apiUrls) {
    const response = await fetch(`${url}/api/admin/audit-log/verify`, { headers: { 'x-api-key': key } });
    if (response.ok) return (await response.json()) as AuditVerification;
  }
  return undefined;
}
