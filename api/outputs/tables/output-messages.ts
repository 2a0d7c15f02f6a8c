import { type Generated, type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { OutputFilter } from '#schemas/api/outputs.ts';
import { SEVERITIES } from '#schemas/detection.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    outputMessages: OutputMessagesTable;
    outputDetections: OutputDetectionsTable;
  }
}

/** The journal of messages. Every output has a cursor in it. */
export interface OutputMessagesTable {
  seq: Generated<number>;
  detectionId: string;
  revision: number;
  cause: 'opened' | 'grown' | 'closed';
  severity: string;
  rule: string;
  hostname: string | null;
  /** JSON text with all digits. */
  detection: string;
  /** See `storedTrace`. */
  trace: string | null;
  at: Generated<Date>;
}

/** Detections that were added to the journal. */
export interface OutputDetectionsTable {
  detectionId: string;
  /** The greatest revision that was added. */
  revision: number;
  /** Version of the closing decision, once it was added. */
  closedVersion: Generated<number | null>;
  toldAt: Generated<Date>;
}

export interface NewOutputMessage {
  readonly detectionId: string;
  readonly revision: number;
  readonly cause: OutputMessagesTable['cause'];
  readonly severity: string;
  readonly rule: string;
  readonly hostname: string | null;
  readonly detection: string;
  readonly trace: string | null;
}
export type StoredOutputMessage = Pick<
  NewOutputMessage,
  'detectionId' | 'revision' | 'cause' | 'detection' | 'trace'
> & {
  readonly seq: number;
  readonly at: Date;
};

/** Records revisions to send. Resolves to those that were not recorded before, and whether each detection is new. */
export async function noteRevisions(
  transaction: Db,
  revisions: readonly { readonly id: string; readonly revision: number }[],
): Promise<ReadonlyMap<string, 'opened' | 'grown'>> {
  if (revisions.length === 0) return new Map();
  const { rows } = await sql<{ detectionId: string; isNew: boolean }>`
    INSERT INTO output_detections AS known (detection_id, revision)
    SELECT * FROM unnest(${revisions.map(({ id }) => id)}::text[], ${revisions.map(({ revision }) => revision)}::bigint[])
    ON CONFLICT (detection_id) DO UPDATE SET revision = excluded.revision, told_at = now()
      WHERE known.revision < excluded.revision
    RETURNING detection_id, xmax = 0 AS is_new`.execute(transaction);
  return new Map(rows.map(({ detectionId, isNew }) => [detectionId, isNew ? 'opened' : 'grown']));
}

/** A decision that closed a detection. */
export interface Closing {
  readonly detectionId: string;
  readonly version: number;
  readonly verdict: 'true_positive' | 'false_positive' | 'benign' | null;
  readonly assignee: string | null;
  readonly note: string | null;
}

/** Returns unsent closings since `since`, oldest first; only the latest closing of each detection. */
export async function unsentClosings(db: Db, since: Date, limit: number): Promise<Closing[]> {
  const { rows } = await sql<Closing>`
    SELECT c.detection_id, c.version, t.verdict, t.assignee, t.note
    FROM (
      SELECT detection_id, max(version) AS version, max(at) AS at FROM detection_changes
      WHERE at >= ${since} AND after ->> 'status' = 'closed' GROUP BY detection_id
    ) AS c
    JOIN detection_triage AS t USING (detection_id)
    LEFT JOIN output_detections AS known USING (detection_id)
    WHERE coalesce(known.closed_version, -1) < c.version
    ORDER BY c.at, c.detection_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Records closings as sent. `revision` is the revision of the detection at that time. */
export async function noteClosings(
  transaction: Db,
  closings: readonly { readonly detectionId: string; readonly version: number; readonly revision: number }[],
): Promise<void> {
  if (closings.length === 0) return;
  await sql`
    INSERT INTO output_detections AS known (detection_id, revision, closed_version)
    SELECT * FROM unnest(${closings.map(({ detectionId }) => detectionId)}::text[],
      ${closings.map(({ revision }) => revision)}::bigint[], ${closings.map(({ version }) => version)}::integer[])
    ON CONFLICT (detection_id) DO UPDATE SET closed_version = excluded.closed_version, told_at = now()`.execute(
    transaction,
  );
}

/** Appends messages to the journal, in this order. Must run in one transaction at a time; see the migration. */
export async function appendMessages(transaction: Db, messages: readonly NewOutputMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await transaction
    .insertInto('outputMessages')
    .values([...messages])
    .execute();
}

/** Returns the number of the last message, or 0 for an empty journal. */
export async function lastMessage(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`SELECT coalesce(max(seq), 0) AS last FROM output_messages`.execute(db);
  return rows[0]?.last ?? 0;
}

/** Returns the messages after `after`, up to `last`, that match the filter, in order. */
export async function nextMessages(
  db: Db,
  range: { readonly after: number; readonly last: number },
  filter: OutputFilter,
  limit: number,
): Promise<StoredOutputMessage[]> {
  const { rows } = await sql<StoredOutputMessage>`
    SELECT seq, detection_id, revision, cause, detection, trace, at FROM output_messages
    WHERE seq > ${range.after}::bigint AND seq <= ${range.last}::bigint AND ${passes(filter)}
    ORDER BY seq LIMIT ${limit}`.execute(db);
  return rows;
}

/** Returns the number of messages after `after`, counted up to `most`, and the time of the first. */
export async function waitingMessages(
  db: Db,
  after: number,
  filter: OutputFilter,
  most: number,
): Promise<{ readonly messages: number; readonly oldestAt: Date | null }> {
  const { rows } = await sql<{ messages: number; oldestAt: Date | null }>`
    SELECT count(*) AS messages, min(at) AS oldest_at FROM (
      SELECT at FROM output_messages WHERE seq > ${after}::bigint AND ${passes(filter)} ORDER BY seq LIMIT ${most}
    ) AS waiting`.execute(db);
  return rows[0] ?? { messages: 0, oldestAt: null };
}

function passes({ minSeverity, rules, hosts, causes }: OutputFilter): RawBuilder<boolean> {
  const severities = minSeverity === undefined ? [] : SEVERITIES.slice(SEVERITIES.indexOf(minSeverity));
  return sql<boolean>`(
    (${minSeverity === undefined} OR severity = ANY(${severities}::text[]))
    AND (${rules === undefined} OR rule = ANY(${rules ?? []}::text[]))
    AND (${causes === undefined} OR cause = ANY(${causes ?? []}::text[]))
    AND (${hosts === undefined} OR lower(hostname) LIKE ANY(${(hosts ?? []).map(likePattern)}::text[])))`;
}

/** Only `*` is a wildcard. Host names are case-insensitive. */
function likePattern(host: string): string {
  return host
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%');
}

/**
 * Deletes up to `limit` messages that are an hour old and that every output has passed. Also deletes messages older
 * than `keepDays`, even if an output still needs them. Resolves to their number.
 */
export async function deleteOldMessages(db: Db, keepDays: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM output_messages WHERE seq IN (
      SELECT seq FROM output_messages
      WHERE at < now() - interval '1 hour'
        AND (at < now() - ${keepDays} * interval '1 day' OR seq <= (SELECT coalesce(min(cursor), 9223372036854775807) FROM outputs))
        AND seq < (SELECT max(seq) FROM output_messages)
      ORDER BY at LIMIT ${limit}
    )`.execute(db);
  return Number(numAffectedRows);
}

/** Deletes up to `limit` records of detections that were last sent longer ago. */
export async function forgetSentDetections(db: Db, keepDays: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM output_detections WHERE detection_id IN (
      SELECT detection_id FROM output_detections WHERE told_at < now() - ${keepDays} * interval '1 day'
      ORDER BY told_at LIMIT ${limit}
    )`.execute(db);
  return Number(numAffectedRows);
}
