import type { FastifyBaseLogger } from 'fastify';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { entityTag, mayChange } from '#api/http/responses/entity-tag.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { DecisionChange } from '#schemas/api/detections.ts';
import type { Detection } from '#schemas/detection.ts';
import {
  type Decision,
  type DetectionChange,
  findAnalyst,
  lockTriage,
  nextChangeTime,
  saveDecisions,
  type TriageRow,
} from '../tables/detection-triage.ts';
import { type LandDecisionsDeps, landDecisions } from './land-decisions.ts';

export interface ChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  readonly username: string | null;
  /** Id of the account. */
  readonly userId?: string | null;
  /** Set if a workflow or an agent makes the change for the account. */
  readonly automation?: { readonly name: string | null; readonly executionId: string };
  readonly origin: RequestOrigin;
}

/** A detection to change. */
export interface WantedDetection {
  readonly id: string;
  /** The ETag that the change requires. Undefined: any version. */
  readonly ifMatch?: string | undefined;
  /** The decision as the client last read it in a list. Undefined fields are not compared. */
  readonly seen?: { readonly [F in keyof Decision]?: Decision[F] | undefined } | undefined;
}

/**
 * `changed_meanwhile`: the decision changed after it was read; nothing was written. `unchanged`: the decision already
 * has these values.
 */
export type ChangeOutcome = 'updated' | 'unchanged' | 'changed_meanwhile' | 'not_found';

export interface ChangeResult {
  readonly id: string;
  readonly outcome: ChangeOutcome;
  /** ETag of the current version, changed or not. Null if the detection does not exist. */
  readonly etag: string | null;
}

/** Thrown if no enabled analyst or administrator has this name. */
export class NoSuchAnalyst extends Error {
  override readonly name = 'NoSuchAnalyst';
}

/** Called after the changes, in their transaction. An exception rolls them back. */
export type WithChanges = (transaction: Db, results: readonly ChangeResult[]) => Promise<void>;

/**
 * Makes the same change to each of these detections. Returns their outcomes in the given order. Rejects with
 * `NoSuchAnalyst`.
 */
export type ChangeDecisions = (
  wanted: readonly WantedDetection[],
  change: DecisionChange,
  by: ChangedBy,
  within?: WithChanges,
) => Promise<ChangeResult[]>;

/** Called when detections get another assignee, in the same transaction. */
export type OnAssigned = (
  transaction: Db,
  assigned: { readonly subjects: readonly string[]; readonly assignee: string },
  by: { readonly userId: string | null; readonly username: string | null; readonly origin: RequestOrigin },
) => Promise<void>;

export interface ChangeDecisionsDeps extends LandDecisionsDeps {
  readonly audit: Audit;
  /** By default, does nothing. */
  readonly onAssigned?: OnAssigned | undefined;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Writes decisions, their history and their audit entries in one transaction with row locks, so that of two concurrent
 * analysts the second sees the change of the first. Lists show the change immediately, or when ClickHouse is available
 * again.
 */
export function createDecisionChanges(deps: ChangeDecisionsDeps): ChangeDecisions {
  return async (wanted, change, by, within) => {
    const assigned = await withAccountOf(deps.database, change);
    return changeEach(deps, wanted, async () => () => assigned, by, within);
  };
}

/** Determines the change of each detection, in the transaction that holds the row locks. */
export type FindChanges = (transaction: Db, rows: readonly TriageRow[]) => Promise<(id: string) => DecisionChange>;

/** Makes the change that `findChanges` returns for each of these detections. Returns their outcomes. */
export async function changeEach(
  deps: ChangeDecisionsDeps,
  wanted: readonly WantedDetection[],
  findChanges: FindChanges,
  by: ChangedBy,
  within: WithChanges = async () => {},
): Promise<ChangeResult[]> {
  const { clickhouse, database, audit, logger, onAssigned = async () => {} } = deps;
  const ids = wanted.map(({ id }) => id);
  const there = new Map((await getDetections(clickhouse, ids)).map((detection) => [detection.id, detection]));
  const outcomes = await inTransaction(database, async (transaction) => {
    const rows = await lockTriage(
      transaction,
      ids.filter((id) => there.has(id)),
    );
    const at = await nextChangeTime(transaction, rows);
    const changeOf = await findChanges(transaction, rows);
    const byId = new Map(rows.map((row) => [row.detectionId, asDecided(row, there.get(row.detectionId))]));
    const results = wanted.map((one) => changeOne(byId.get(one.id), one, changeOf(one.id), { at, by }));
    const changed = results.flatMap(({ changed }) => changed ?? []);
    await saveDecisions(
      transaction,
      changed.map(({ row }) => row),
      changed.map(({ entry }) => entry),
    );
    for (const { entry } of changed)
      await audit.record(transaction, {
        actor: by.actor,
        target: `detection:${entry.detectionId}`,
        action: 'detection.update',
        diff: diffOf(entry),
        origin: by.origin,
      });
    for (const [assignee, subjects] of assignments(changed.map(({ entry }) => entry))) {
      const { username, userId = null, origin } = by;
      await onAssigned(transaction, { subjects, assignee }, { userId, username, origin });
    }
    const made = results.map(({ result }) => result);
    await within(transaction, made);
    return made;
  });
  const updated = outcomes.filter(({ outcome }) => outcome === 'updated').map(({ id }) => id);
  if (updated.length > 0) {
    const onFailure = (err: unknown) => logger.warn({ err }, 'cannot copy decisions to ClickHouse');
    await landDecisions(deps, updated).catch(onFailure);
  }
  return outcomes;
}

/** Groups the ids of assigned detections by assignee. */
function assignments(entries: readonly DetectionChange[]): Map<string, string[]> {
  const byAssignee = new Map<string, string[]>();
  for (const { detectionId, after } of entries)
    if (after.assignee != null)
      byAssignee.set(after.assignee, [...(byAssignee.get(after.assignee) ?? []), detectionId]);
  return byAssignee;
}

async function withAccountOf(database: Database, change: DecisionChange): Promise<DecisionChange> {
  if (change.assignee === undefined || change.assignee === null) return change;
  const assignee = await findAnalyst(database, change.assignee);
  if (assignee === undefined) throw new NoSuchAnalyst('there is no enabled analyst or administrator of this name');
  return { ...change, assignee };
}

/** Uses the decision in ClickHouse if PostgreSQL has none: an earlier version or another tool may have written it. */
function asDecided(row: TriageRow, detection: Detection | undefined): TriageRow {
  if (row.version > 0 || detection === undefined) return row;
  const { status, verdict, assignee, note } = detection;
  return { ...row, status, verdict, assignee, note };
}

interface OneChange {
  readonly result: ChangeResult;
  readonly changed?: { readonly row: TriageRow; readonly entry: DetectionChange };
}

function changeOne(
  row: TriageRow | undefined,
  { id, ifMatch, seen }: WantedDetection,
  change: DecisionChange,
  { at, by }: { readonly at: Date; readonly by: ChangedBy },
): OneChange {
  if (row === undefined) return { result: { id, outcome: 'not_found', etag: null } };
  const etag = entityTag(row.version);
  if (!mayChange(ifMatch, etag) || !stillSo(row, seen)) return { result: { id, outcome: 'changed_meanwhile', etag } };
  const names = (Object.keys(change) as (keyof Decision)[]).filter(
    (name) => change[name] !== undefined && change[name] !== row[name],
  );
  if (names.length === 0) return { result: { id, outcome: 'unchanged', etag } };
  const version = row.version + 1;
  const after: Partial<Decision> = Object.fromEntries(names.map((name) => [name, change[name]]));
  const entry = {
    detectionId: id,
    version,
    at,
    actor: by.actor,
    username: by.username,
    automation: by.automation?.name ?? null,
    executionId: by.automation?.executionId ?? null,
    before: Object.fromEntries(names.map((name) => [name, row[name]])),
    after,
  };
  return {
    result: { id, outcome: 'updated', etag: entityTag(version) },
    changed: { row: { ...row, ...after, version, changedAt: at, landed: false }, entry },
  };
}

function stillSo(now: Decision, seen: WantedDetection['seen'] = {}): boolean {
  return (Object.keys(seen) as (keyof Decision)[]).every(
    (name) => seen[name] === undefined || seen[name] === now[name],
  );
}

function diffOf({ before, after }: DetectionChange) {
  const names = Object.keys(after) as (keyof Decision)[];
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]));
}
