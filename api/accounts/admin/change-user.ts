import type { Audit, AuditAction } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { contentTag, mayChange } from '#api/http/responses/entity-tag.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Role } from '#schemas/api/roles.ts';
import { deleteSessionsOf } from '../tables/sessions.ts';
import {
  type AdministeredUser,
  countAdministrators,
  lockAdministrators,
  lockUser,
  updateUser,
} from '../tables/user-administration.ts';
import { mayUseAccount } from '../tables/users.ts';
import type { AccountAnnouncements } from './announce-change.ts';

export interface UserChange {
  readonly role?: Role | undefined;
  /** False also ends a lockout. */
  readonly disabled?: boolean | undefined;
  /** null: no end date. */
  readonly endDate?: Date | null | undefined;
}

export interface ChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  /** Undefined for the operator, which is not a user. */
  readonly userId: string | undefined;
  readonly origin: RequestOrigin;
  /** The ETag that the change requires. Undefined: any version. */
  readonly ifMatch?: string | undefined;
}

/**
 * `own-account`: administrators cannot change their own role, or disable or end their own account.
 * `last-administrator`: one administrator must remain. `overtaken`: the account changed after it was read.
 */
export type UserChangeRefusal = 'own-account' | 'last-administrator' | 'overtaken';

export class UserChangeRefused extends Error {
  override readonly name = 'UserChangeRefused';
  readonly reason: UserChangeRefusal;

  constructor(reason: UserChangeRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Changes an account on behalf of an administrator, with its audit entries in the same transaction. Resolves to the
 * changed account, or undefined if it does not exist. A user who is disabled or past the end date has no sessions.
 * Unchanged values are neither written nor recorded.
 */
export type ChangeUser = (id: string, change: UserChange, by: ChangedBy) => Promise<AdministeredUser | undefined>;

export interface UserAdministrationDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly announcements: AccountAnnouncements;
}

export function createUserAdministration({ database, audit, announcements }: UserAdministrationDeps): ChangeUser {
  return async (id, change, by) => {
    const done = await inTransaction(database, async (transaction) => {
      if (mayTakeAway(change)) await lockAdministrators(transaction);
      const before = await lockUser(transaction, id);
      if (before === undefined) return undefined;
      if (!mayChange(by.ifMatch, userTag(before))) throw new UserChangeRefused('overtaken');
      if (by.userId === id) refuseOwn(before, change);
      const wanted = differences(before, change);
      if (Object.keys(wanted).length === 0) return { before, after: before };
      const after = await updateUser(transaction, id, wanted);
      if (mayTakeAway(change)) await refuseLast(transaction, before, after);
      if (!mayUseAccount(after)) await deleteSessionsOf(transaction, id);
      for (const entry of entriesOf(before, after))
        await audit.record(transaction, { actor: by.actor, target: `user:${id}`, origin: by.origin, ...entry });
      return { before, after };
    });
    if (done === undefined) return undefined;
    const { before, after } = done;
    if (before !== after) {
      const roleChanged = before.role !== after.role;
      await announcements.announce(id, { sessionsEnded: !mayUseAccount(after), roleChanged });
    }
    return after;
  };
}

/**
 * Returns the ETag of the fields that administrators decide. Changes by the user (name, picture) and wrong passwords do
 * not change it.
 */
export function userTag({ role, disabled, endDate }: AdministeredUser): string {
  return contentTag([role, disabled, endDate]);
}

/** True if the change could reduce the number of administrators. */
function mayTakeAway({ role, disabled, endDate }: UserChange): boolean {
  return (role !== undefined && role !== 'admin') || disabled === true || (endDate ?? null) !== null;
}

function refuseOwn(before: AdministeredUser, { role, disabled, endDate }: UserChange): void {
  const otherRole = role !== undefined && role !== before.role;
  if (otherRole || disabled === true || (endDate ?? null) !== null) throw new UserChangeRefused('own-account');
}

function differences(
  before: AdministeredUser,
  { role, disabled, endDate }: UserChange,
): Parameters<typeof updateUser>[2] {
  const locked = before.lockUntil !== null || before.failedLoginAttempts > 0;
  return {
    ...(role === undefined || role === before.role ? {} : { role }),
    ...(disabled === undefined || disabled === before.disabled ? {} : { disabled }),
    ...(endDate === undefined || endDate?.getTime() === before.endDate?.getTime() ? {} : { endDate }),
    ...(disabled === false && locked ? { failedLoginAttempts: 0, lockUntil: null } : {}),
  };
}

/**
 * Counts administrators after the change, under the lock. An administrator with an end date does not count, unless
 * there was no other administrator before.
 */
async function refuseLast(transaction: Db, before: AdministeredUser, after: AdministeredUser): Promise<void> {
  if (before.role !== 'admin' || !mayUseAccount(before)) return;
  const left = await countAdministrators(transaction);
  const tookLasting = before.endDate === null && (after.role !== 'admin' || after.disabled || after.endDate !== null);
  if (left.now === 0 || (tookLasting && left.lasting === 0)) throw new UserChangeRefused('last-administrator');
}

type Diff = Record<string, { readonly before: unknown; readonly after: unknown }>;

function entriesOf(before: AdministeredUser, after: AdministeredUser): { action: AuditAction; diff: Diff }[] {
  const general = diffOf(before, after, ['role', 'endDate']);
  const state = diffOf(before, after, ['disabled', 'failedLoginAttempts', 'lockUntil']);
  return [
    ...(Object.keys(general).length === 0 ? [] : [{ action: 'user.update' as const, diff: general }]),
    ...(Object.keys(state).length === 0
      ? []
      : [{ action: after.disabled ? ('user.disable' as const) : ('user.enable' as const), diff: state }]),
  ];
}

function diffOf(before: AdministeredUser, after: AdministeredUser, fields: readonly (keyof AdministeredUser)[]): Diff {
  const changed = fields.filter((field) => before[field]?.valueOf() !== after[field]?.valueOf());
  return Object.fromEntries(changed.map((field) => [field, { before: before[field], after: after[field] }]));
}
