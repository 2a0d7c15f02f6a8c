import { UserChangeRefused } from '#api/accounts/admin/change-user.ts';
import { usernameCandidates } from '#api/accounts/oauth/username.ts';
import { deleteEmailChangeOf } from '#api/accounts/tables/email-changes.ts';
import { insertIdentityUser } from '#api/accounts/tables/oauth-identities.ts';
import { deleteResetTokensOf } from '#api/accounts/tables/reset-tokens.ts';
import { mayUseAccount } from '#api/accounts/tables/users.ts';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { mayChange } from '#api/http/responses/entity-tag.ts';
import type { Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { applyPatch, type Json, type PatchOperation } from './patch.ts';
import { type UserInput, userInput, userResource, versionOf } from './resources.ts';
import { applyRoles, type ScimRolesDeps } from './roles.ts';
import { ScimError } from './scim-error.ts';
import {
  findByEmail,
  findScimUser,
  isNameOfAnother,
  lockScimUser,
  markScimUserDeleted,
  putScimUser,
  type ScimUserRow,
} from './tables/scim-users.ts';

export interface ScimBy {
  readonly actor: string;
  /** The owner of the key. Undefined for the operator. */
  readonly userId: string | undefined;
  readonly origin: RequestOrigin;
  readonly ifMatch?: string | undefined;
}

/** Changes of users by an identity provider. All functions reject with `ScimError`. */
export interface ScimUsers {
  create(body: Json, by: ScimBy): Promise<ScimUserRow>;
  replace(id: string, body: Json, by: ScimBy): Promise<ScimUserRow>;
  patch(id: string, operations: readonly PatchOperation[], by: ScimBy): Promise<ScimUserRow>;
  /** Disables and hides the account and ends its memberships. Its actions stay in the audit log. */
  remove(id: string, by: ScimBy): Promise<void>;
}

export interface ScimUsersDeps extends ScimRolesDeps {
  readonly audit: Audit;
}

export function createScimUsers(deps: ScimUsersDeps): ScimUsers {
  const { database, audit, changeUser } = deps;

  /** Enables or disables an account. Disabling ends its sessions and keys immediately. The change can be refused. */
  async function setActive(id: string, active: boolean, by: ScimBy): Promise<void> {
    try {
      const changed = await changeUser(id, { disabled: !active }, withoutTag(by));
      if (active && changed !== undefined && !mayUseAccount(changed))
        throw new ScimError(403, 'the account is past the end that an administrator set', 'mutability');
    } catch (error) {
      if (!(error instanceof UserChangeRefused)) throw error;
      throw new ScimError(403, refusalText(error), 'mutability');
    }
  }

  async function replaceBy(
    id: string,
    toInput: (current: Json, active: boolean) => UserInput,
    by: ScimBy,
  ): Promise<ScimUserRow> {
    const before = required(await findScimUser(database, id));
    const current = userResource(before, '');
    if (!mayChange(by.ifMatch, versionOf(userResource(before, '')))) throw overtaken();
    const { active } = toInput(current, before.active);
    // The account is disabled even if the other values are rejected, but enabled only together with them.
    if (before.active && !active) await setActive(id, false, by);
    const changed = await conflictsToScim(() =>
      inTransaction(database, async (transaction) => {
        const row = required(await lockScimUser(transaction, id));
        const input = toInput(userResource(row, ''), row.active);
        if (await isNameOfAnother(transaction, input.userName, id)) throw taken('userName');
        if (row.email !== input.email) await replaceAddress(transaction, { audit }, row, input.email, by);
        const { email: _, active: __, ...values } = input;
        await putScimUser(transaction, { userId: id, ...values });
        const diff = differences(row, input);
        if (Object.keys(diff).length > 0)
          await audit.record(transaction, {
            actor: by.actor,
            origin: by.origin,
            target: `user:${id}`,
            action: 'user.update',
            diff,
          });
        return required(await findScimUser(transaction, id));
      }),
    );
    if (!active || changed.active) return changed;
    await setActive(id, true, by);
    return required(await findScimUser(database, id));
  }

  return {
    async create(body, by) {
      const input = userInput(body);
      const { id, returns } = await conflictsToScim(() =>
        inTransaction(database, (transaction) => createIn(transaction, { audit }, input, by)),
      );
      // A previously deleted user returns with the state of the request, without a role of former groups.
      if (returns) await applyRoles(deps, [id], by);
      const made = required(await findScimUser(database, id));
      if (made.active !== input.active) await setActive(id, input.active, by);
      return required(await findScimUser(database, id));
    },
    replace: (id, body, by) => replaceBy(id, (_, active) => userInput(body, active), by),
    patch: (id, operations, by) =>
      replaceBy(id, (current, active) => userInput(applyPatch(current, operations), active), by),
    async remove(id, by) {
      const before = required(await findScimUser(database, id));
      if (!mayChange(by.ifMatch, versionOf(userResource(before, '')))) throw overtaken();
      await setActive(id, false, by);
      await inTransaction(database, async (transaction) => {
        await markScimUserDeleted(transaction, id);
        const diff = {
          userName: { before: before.userName },
          ...(before.groups.length === 0 ? {} : { left: { before: before.groups.map(({ name }) => name) } }),
        };
        await audit.record(transaction, {
          actor: by.actor,
          origin: by.origin,
          target: `user:${id}`,
          action: 'user.update',
          diff,
        });
      });
    },
  };
}

async function createIn(
  transaction: Db,
  { audit }: { readonly audit: Audit },
  input: UserInput,
  { actor, origin }: ScimBy,
): Promise<{ readonly id: string; readonly returns: boolean }> {
  const { email, active: _, ...values } = input;
  const existing = await findByEmail(transaction, email);
  if (existing !== undefined && !existing.deleted) throw taken('emails');
  if (await isNameOfAnother(transaction, input.userName, existing?.id)) throw taken('userName');
  const userId = existing?.id ?? (await insertAccount(transaction, input));
  await putScimUser(transaction, { userId, ...values });
  const diff = { email: { after: email }, userName: { after: input.userName }, emailVerified: { after: true } };
  const action = existing === undefined ? 'user.create' : 'user.update';
  await audit.record(transaction, { actor, origin, target: `user:${userId}`, action, diff });
  return { id: userId, returns: existing !== undefined };
}

/** Creates an account without a password. The person signs in with the provider, whose address counts as verified. */
async function insertAccount(transaction: Db, { userName, email }: UserInput): Promise<string> {
  for (const username of usernameCandidates(userName.split('@', 1)[0], email)) {
    const user = await insertIdentityUser(transaction, { username, email });
    if (user !== undefined) return user.id;
  }
  throw taken('userName');
}

async function replaceAddress(
  transaction: Db,
  { audit }: { readonly audit: Audit },
  { id, email }: ScimUserRow,
  next: string,
  { actor, origin }: ScimBy,
): Promise<void> {
  await transaction.updateTable('users').set({ email: next, emailVerified: true }).where('id', '=', id).execute();
  await deleteResetTokensOf(transaction, id);
  await deleteEmailChangeOf(transaction, id);
  const diff = { email: { before: email, after: next } };
  await audit.record(transaction, { actor, origin, target: `user:${id}`, action: 'email.change', diff });
}

function differences(before: ScimUserRow, after: UserInput) {
  const names = ['userName', 'externalId', 'displayName', 'givenName', 'familyName'] as const;
  const changed = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]));
}

async function conflictsToScim<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const constraint = violatedUnique(error);
    if (constraint === 'users_email_key') throw taken('emails');
    if (constraint === 'scim_users_user_name_key') throw taken('userName');
    throw error;
  }
}

function withoutTag({ actor, userId, origin }: ScimBy) {
  return { actor, userId, origin };
}

function refusalText({ reason }: UserChangeRefused): string {
  return reason === 'own-account'
    ? 'the owner of the key that is used cannot be disabled by it'
    : 'the last administrator cannot be disabled';
}

function required<T>(user: T | undefined): T {
  if (user === undefined) throw new ScimError(404, 'there is no such user');
  return user;
}

function taken(attribute: string): ScimError {
  return new ScimError(409, `another user has this value of ${attribute}`, 'uniqueness');
}

function overtaken(): ScimError {
  return new ScimError(412, 'the resource changed since it was read');
}
