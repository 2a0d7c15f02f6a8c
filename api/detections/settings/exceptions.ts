import { randomUUID } from 'node:crypto';
import { type DetectionException, detectionExceptionSchema } from '#analytics/detections/exception.ts';
import { type DetectionSettings, MAX_EXCEPTIONS } from '#analytics/detections/settings.ts';
import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Detection } from '#schemas/detection.ts';
import {
  countHeldExceptions,
  type ExceptionRow,
  endException,
  insertException,
} from '../tables/detection-exceptions.ts';
import { growSettingsVersion, lockSettings } from '../tables/rule-settings.ts';
import type { SettingsChangedBy } from './changed-by.ts';
import type { LandedExceptions } from './land-exceptions.ts';

/** Content of a new exception. */
export type ExceptionDraft = {
  readonly [Name in 'hostname' | 'program' | 'file' | 'rule']?: string | undefined;
} & { readonly expires?: string | null | undefined; readonly reason: string };

export interface CreatedException extends ExceptionRow {
  /**
   * Number of open detections that the exception silenced. Null if they are silenced later, because a store is
   * unavailable or another process does it.
   */
  readonly silenced: number | null;
}

export interface Exceptions {
  /** Creates an exception. Rejects with a `ZodError` for an empty draft, and with the code `conflict` over the limit. */
  create(draft: ExceptionDraft, by: SettingsChangedBy, detectionId?: string): Promise<CreatedException>;
  /** Ends an exception. False if no active exception has this id. */
  end(id: string, by: SettingsChangedBy): Promise<boolean>;
}

export interface ExceptionsDeps {
  readonly database: Database;
  readonly audit: Audit;
  /** Settings of the rules file. */
  readonly base: DetectionSettings;
  /**
   * Called after every change. Other processes find the change by polling. Returns the number of open detections that
   * each new exception silenced.
   */
  readonly changed: () => Promise<LandedExceptions>;
}

/**
 * Creates the functions for exceptions. Each change is one transaction with its audit entry. All processes that judge
 * adopt it within seconds.
 */
export function createExceptions({ database, audit, base, changed }: ExceptionsDeps): Exceptions {
  return {
    async create(draft, by, detectionId) {
      const row = await inTransaction(database, (transaction) =>
        addException(transaction, { audit, base }, { draft, by, detectionId }),
      );
      return { ...row, silenced: await silencedBy(changed, row.id) };
    },

    async end(id, { actor, origin }) {
      const ended = await inTransaction(database, async (transaction) => {
        await lockSettings(transaction);
        const row = await endException(transaction, id, actor);
        if (row === undefined) return false;
        await growSettingsVersion(transaction);
        const { hostname, program, file, rule, expires, reason } = row;
        const before = { hostname, program, file, rule, expires, reason };
        await audit.record(transaction, {
          actor,
          target: `exception:${id}`,
          action: 'exception.delete',
          diff: Object.fromEntries(Object.entries(before).map(([name, value]) => [name, { before: value }])),
          origin,
        });
        return true;
      });
      if (ended) await changed().catch(() => undefined);
      return ended;
    },
  };
}

/**
 * Returns the number of open detections that a new exception silenced, or null if it is unknown. Call it after the
 * transaction.
 */
export async function silencedBy(changed: ExceptionsDeps['changed'], id: string): Promise<number | null> {
  const landed = await changed().catch(() => undefined);
  return landed?.get(id) ?? null;
}

export interface NewException {
  readonly draft: ExceptionDraft;
  readonly by: SettingsChangedBy;
  readonly detectionId?: string | undefined;
  /** The approved request from which the exception is created. */
  readonly requestId?: string | undefined;
}

/** Creates an exception with its audit entry. Must run in a transaction of `inTransaction`. Rejects as `Exceptions.create`. */
export async function addException(
  transaction: Db,
  { audit, base }: Pick<ExceptionsDeps, 'audit' | 'base'>,
  { draft, by: { actor, origin }, detectionId, requestId }: NewException,
): Promise<ExceptionRow> {
  const id = `exc_${randomUUID().replaceAll('-', '')}`;
  const { hostname = null, program = null, file = null, rule = null, expires, reason } = draftException(draft, id);
  const fields = { hostname, program, file, rule, expires, reason };
  await lockSettings(transaction);
  if ((await countHeldExceptions(transaction)) + base.exceptions.length >= MAX_EXCEPTIONS)
    throw apiError('conflict', `there are ${MAX_EXCEPTIONS} exceptions, which is the limit`);
  const inserted = await insertException(transaction, {
    id,
    ...fields,
    detectionId: detectionId ?? null,
    createdBy: actor,
    requestId: requestId ?? null,
  });
  await growSettingsVersion(transaction);
  const after = {
    ...fields,
    ...(detectionId === undefined ? {} : { detectionId }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  await audit.record(transaction, {
    actor,
    target: `exception:${id}`,
    action: 'exception.create',
    diff: Object.fromEntries(Object.entries(after).map(([name, value]) => [name, { after: value }])),
    origin,
  });
  return inserted;
}

/** Validates a draft and returns the exception. Throws a `ZodError` that names the errors. */
export function draftException(draft: ExceptionDraft, id = 'draft'): DetectionException {
  return detectionExceptionSchema.parse({
    id,
    ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)),
  });
}

/**
 * Completes a draft without a subject from a detection: its rule, host and program. An attacker chooses the names of
 * crashing programs, and a program called `*` must not silence all others. Each star in a name is therefore replaced by
 * a wildcard for one character, and so is NUL, which PostgreSQL rejects.
 */
export function draftFrom(draft: ExceptionDraft, { rule, hostname, procname }: Detection): ExceptionDraft {
  const says = [draft.hostname, draft.program, draft.file, draft.rule].some((part) => part !== undefined);
  if (says) return draft;
  const literally = (name: string | null) =>
    name === null || name === '' ? undefined : name.replaceAll(/[*\0]/g, '?');
  return { ...draft, rule: rule.id, hostname: literally(hostname), program: literally(procname) };
}
