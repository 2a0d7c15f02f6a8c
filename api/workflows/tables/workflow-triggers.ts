import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { TriggerSpec } from '../triggers/spec.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    workflowTriggers: WorkflowTriggersTable;
    workflowTriggerVersions: WorkflowTriggerVersionsTable;
    triggerOccurrences: TriggerOccurrencesTable;
  }
}

export const TRIGGER_KINDS = ['schedule', 'after', 'event', 'webhook'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** Triggers of workflows, at most one per kind. */
export interface WorkflowTriggersTable {
  /** `trg_…` */
  id: string;
  workflowId: string;
  kind: TriggerKind;
  /** Lane of the owner of the workflow. The trigger receives no events of other lanes. */
  lane: string;
  spec: ColumnType<TriggerSpec, string, string>;
  /** Event types that its filters may match; `*` if a filter names none. */
  eventTypes: Generated<string[]>;
  /** Sealed secret of a webhook; see `createSeal`. */
  secret: Buffer | null;
  enabled: Generated<boolean>;
  /** Why the trigger cannot work, as a message for people. */
  problem: string | null;
  /** Next time of a schedule. */
  nextAt: Date | null;
  lastAt: Date | null;
  /** Number of occurrences that were missed because no worker ran when they were due. */
  missed: Generated<number>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type WorkflowTrigger = Selectable<WorkflowTriggersTable>;

/** The version from which the triggers of each workflow were set. */
export interface WorkflowTriggerVersionsTable {
  workflowId: string;
  versionId: string;
}

/** Causes that were handled. */
export interface TriggerOccurrencesTable {
  triggerId: string;
  /** Key of the cause within its trigger: a time, an event, a signature, or an execution that ended. */
  occurrence: string;
  /** Null if it was skipped, for example because its owner may not run the workflow. */
  executionId: string | null;
  at: ColumnType<Date, Date | undefined, Date>;
}

/** A trigger with the data to start its workflow. */
export type ArmedTrigger = WorkflowTrigger & {
  readonly versionId: string;
  readonly ownerId: string | null;
  readonly slug: string;
};

function armed(db: Db) {
  return db
    .selectFrom('workflowTriggers')
    .innerJoin('workflows', 'workflows.id', 'workflowTriggers.workflowId')
    .selectAll('workflowTriggers')
    .select(['workflows.currentVersionId as versionId', 'workflows.ownerId', 'workflows.slug']);
}

/** Returns due schedules, longest overdue first. Schedules of a paused workflow stay due. */
export function dueSchedules(db: Db, now: Date, most: number): Promise<ArmedTrigger[]> {
  return armed(db)
    .where('workflowTriggers.enabled', '=', true)
    .where('workflowTriggers.nextAt', '<=', now)
    .where('workflows.pausedAt', 'is', null)
    .orderBy('workflowTriggers.nextAt')
    .limit(most)
    .execute();
}

export function armedTrigger(db: Db, id: string): Promise<ArmedTrigger | undefined> {
  return armed(db).where('workflowTriggers.id', '=', id).executeTakeFirst();
}

/** Returns the triggers that follow the end of an execution of their workflow. */
export function afterTriggers(db: Db): Promise<ArmedTrigger[]> {
  return armed(db).where('workflowTriggers.enabled', '=', true).where('workflowTriggers.kind', '=', 'after').execute();
}

export function triggersOf(db: Db, workflowId: string): Promise<WorkflowTrigger[]> {
  return db
    .selectFrom('workflowTriggers')
    .selectAll()
    .where('workflowId', '=', workflowId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Returns the webhook of a workflow, by slug. */
export function webhookOf(db: Db, slug: string): Promise<ArmedTrigger | undefined> {
  return armed(db).where('workflows.slug', '=', slug).where('workflowTriggers.kind', '=', 'webhook').executeTakeFirst();
}

/** Sets and enables the webhook of a workflow. Returns true if it is the first one. */
export async function putWebhook(
  db: Db,
  { id, workflowId, lane, secret }: Pick<WorkflowTrigger, 'id' | 'workflowId' | 'lane'> & { readonly secret: Buffer },
): Promise<boolean> {
  const spec: TriggerSpec = { kind: 'webhook' };
  const values = {
    id,
    workflowId,
    lane,
    secret,
    spec: JSON.stringify(spec),
    problem: null,
    nextAt: null,
    lastAt: null,
  };
  const put = await db
    .insertInto('workflowTriggers')
    .values({ ...values, kind: 'webhook' })
    .onConflict((conflict) =>
      conflict.columns(['workflowId', 'kind']).doUpdateSet({ secret, enabled: true, updatedAt: sql<Date>`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return put.id === id;
}

/** Returns the trigger of this kind and locks it until the transaction ends; undefined if it does not exist. */
export function lockTrigger(
  transaction: Db,
  { workflowId, kind }: Pick<WorkflowTrigger, 'workflowId' | 'kind'>,
): Promise<WorkflowTrigger | undefined> {
  return transaction
    .selectFrom('workflowTriggers')
    .selectAll()
    .where('workflowId', '=', workflowId)
    .where('kind', '=', kind)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Enables or disables a trigger. `nextAt`: next due time; if undefined, unchanged. */
export function setTriggerEnabled(
  db: Db,
  { id }: Pick<WorkflowTrigger, 'id'>,
  change: { readonly enabled: boolean; readonly nextAt?: Date | null },
): Promise<WorkflowTrigger> {
  return db
    .updateTable('workflowTriggers')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Disables all triggers of a workflow. */
export async function switchTriggersOff(db: Db, workflowId: string): Promise<void> {
  await db
    .updateTable('workflowTriggers')
    .set({ enabled: false, updatedAt: sql<Date>`now()` })
    .where('workflowId', '=', workflowId)
    .where('enabled', '=', true)
    .execute();
}

export async function removeWebhook(db: Db, workflowId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('workflowTriggers')
    .where('workflowId', '=', workflowId)
    .where('kind', '=', 'webhook')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Records that a cause was handled. Returns false if it was recorded before. */
export async function takeOccurrence(
  db: Db,
  occurrence: Pick<Selectable<TriggerOccurrencesTable>, 'triggerId' | 'occurrence' | 'executionId'>,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO trigger_occurrences (trigger_id, occurrence, execution_id)
    VALUES (${occurrence.triggerId}, ${occurrence.occurrence}, ${occurrence.executionId})
    ON CONFLICT DO NOTHING RETURNING 1`.execute(db);
  return rows.length > 0;
}

export function findOccurrence(db: Db, triggerId: string, occurrence: string) {
  return db
    .selectFrom('triggerOccurrences')
    .select('executionId')
    .where('triggerId', '=', triggerId)
    .where('occurrence', '=', occurrence)
    .executeTakeFirst();
}

/** Advances a schedule from its due time. Returns false if another process did so. */
export async function moveSchedule(
  db: Db,
  trigger: Pick<WorkflowTrigger, 'id' | 'nextAt'>,
  next: { readonly at: Date | null; readonly last: Date; readonly missed: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workflowTriggers')
    .set({ nextAt: next.at, lastAt: next.last, missed: sql`missed + ${next.missed}` })
    .where('id', '=', trigger.id)
    .where('nextAt', '=', trigger.nextAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function noteFired(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('workflowTriggers').set({ lastAt: at }).where('id', '=', id).execute();
}
