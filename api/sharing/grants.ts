import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { Permission } from './permissions.ts';
import { newSharingId } from './sharing-id.ts';
import {
  countGrants,
  deleteGrant,
  type Grant,
  type Granted,
  type GrantSubject,
  type GrantWithNames,
  insertGrant,
  listGrants,
  lockGrantsOf,
} from './tables/automation-grants.ts';
import { usersByName } from './tables/people.ts';
import { existingTeams } from './tables/teams.ts';
import type { SharedBy } from './teams.ts';

/** Maximum number of grants per workflow or agent; for more users, use a team. */
const MAX_GRANTS = 200;

export interface NewGrant {
  readonly permission: Permission;
  readonly user?: string | undefined;
  readonly team?: string | undefined;
  readonly role?: Role | undefined;
}

/** Grants of a workflow or agent. The caller must have checked that the requester may share it. */
export interface Grants {
  list(unit: Granted): Promise<GrantWithNames[]>;
  /** Adds a grant. An existing grant is not changed. */
  add(unit: Granted, grant: NewGrant, by: SharedBy): Promise<void>;
  /** Removes a grant. False if there is no such grant. */
  remove(unit: Granted, id: string, by: SharedBy): Promise<boolean>;
}

export function createGrants({ database, audit }: { readonly database: Database; readonly audit: Audit }): Grants {
  const record = (
    transaction: Db,
    unit: Granted,
    { actor, origin }: SharedBy,
    entry: {
      readonly action: 'grant.create' | 'grant.delete';
      readonly side: 'before' | 'after';
      readonly grant: Grant;
    },
  ) => {
    const { action, side, grant } = entry;
    const { permission, userId, teamId, role } = grant;
    const subject = userId !== null ? `user:${userId}` : teamId !== null ? `team:${teamId}` : `role:${role}`;
    const diff = { permission: { [side]: permission }, subject: { [side]: subject } };
    return audit.record(transaction, { actor, origin, target: `${unit.kind}:${unit.id}`, action, diff });
  };

  return {
    list: (unit) => listGrants(database, unit),
    add: (unit, wanted, by) =>
      inTransaction(database, async (transaction) => {
        const subject = await subjectOf(transaction, wanted);
        await lockGrantsOf(transaction, unit);
        if ((await countGrants(transaction, unit)) >= MAX_GRANTS)
          throw apiError('invalid_value', `a ${unit.kind} has at most ${MAX_GRANTS} grants: share it with a team`);
        const base = { id: newSharingId('grant'), permission: wanted.permission, createdBy: by.actor };
        const grant = await insertGrant(transaction, unit, { ...base, ...subject });
        if (grant !== undefined) await record(transaction, unit, by, { action: 'grant.create', side: 'after', grant });
      }),
    remove: (unit, id, by) =>
      inTransaction(database, async (transaction) => {
        const grant = await deleteGrant(transaction, unit, id);
        if (grant === undefined) return false;
        await record(transaction, unit, by, { action: 'grant.delete', side: 'before', grant });
        return true;
      }),
  };
}

async function subjectOf(db: Db, { user, team, role }: NewGrant): Promise<GrantSubject> {
  const unset = { userId: null, teamId: null, role: null };
  if (role !== undefined) return { ...unset, role };
  if (team !== undefined) {
    const teamId = (await existingTeams(db, [team])).get(team);
    if (teamId === undefined) throw apiError('invalid_value', `there is no team named "${team}"`, 'team');
    return { ...unset, teamId };
  }
  const userId = (await usersByName(db, [user ?? ''])).get((user ?? '').toLowerCase());
  if (userId === undefined) throw apiError('invalid_value', `there is no user named "${user}"`, 'user');
  return { ...unset, userId };
}
