import type { Audit } from '#api/audit/port.ts';
import { mayChange } from '#api/http/responses/entity-tag.ts';
import type { Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { newSharingId } from '#api/sharing/sharing-id.ts';
import { deleteTeam, insertTeam, lockTeam, setMembers, updateTeam } from '#api/sharing/tables/teams.ts';
import { applyPatch, type Json, type PatchOperation } from './patch.ts';
import { type GroupInput, groupInput, groupResource, teamNameOf, versionOf } from './resources.ts';
import { applyRoles, type ScimRolesDeps } from './roles.ts';
import { ScimError } from './scim-error.ts';
import { existingUsers, findScimGroup, isGroupName, putScimGroup, type ScimGroupRow } from './tables/scim-groups.ts';
import type { ScimBy } from './users.ts';

/** Changes of groups by an identity provider. A group is a team. All functions reject with `ScimError`. */
export interface ScimGroups {
  create(body: Json, by: ScimBy): Promise<ScimGroupRow>;
  replace(id: string, body: Json, by: ScimBy): Promise<ScimGroupRow>;
  patch(id: string, operations: readonly PatchOperation[], by: ScimBy): Promise<ScimGroupRow>;
  remove(id: string, by: ScimBy): Promise<void>;
}

export interface ScimGroupsDeps extends ScimRolesDeps {
  readonly audit: Audit;
}

export function createScimGroups(deps: ScimGroupsDeps): ScimGroups {
  const { database, audit } = deps;

  async function replaceBy(id: string, toInput: (current: Json) => GroupInput, by: ScimBy): Promise<ScimGroupRow> {
    const { before, after } = await inTransaction(database, async (transaction) => {
      if ((await lockTeam(transaction, id)) === undefined) throw unknown();
      const row = required(await findScimGroup(transaction, id));
      const current = groupResource(row, '');
      if (!mayChange(by.ifMatch, versionOf(current)))
        throw new ScimError(412, 'the resource changed since it was read');
      const input = toInput(current);
      await putIn(transaction, id, input);
      await updateTeam(transaction, id, {});
      const changed = required(await findScimGroup(transaction, id));
      const diff = differences(row, changed);
      if (Object.keys(diff).length > 0)
        await audit.record(transaction, {
          actor: by.actor,
          origin: by.origin,
          target: `team:${id}`,
          action: 'team.update',
          diff,
        });
      return { before: row, after: changed };
    });
    await applyRoles(deps, [...idsOf(before), ...idsOf(after)], by);
    return after;
  }

  return {
    async create(body, by) {
      const input = groupInput(body);
      const id = newSharingId('team');
      const made = await inTransaction(database, async (transaction) => {
        await insertTeam(transaction, { id, name: teamNameOf(input.displayName), description: '' });
        await putIn(transaction, id, input);
        const row = required(await findScimGroup(transaction, id));
        const diff = { name: { after: input.displayName }, members: { after: namesOf(row) } };
        await audit.record(transaction, {
          actor: by.actor,
          origin: by.origin,
          target: `team:${id}`,
          action: 'team.create',
          diff,
        });
        return row;
      }).catch((error: unknown) => {
        throw violatedUnique(error) === 'teams_name_key' ? taken() : error;
      });
      await applyRoles(deps, idsOf(made), by);
      return made;
    },
    replace: (id, body, by) => replaceBy(id, () => groupInput(body), by),
    patch: (id, operations, by) => replaceBy(id, (current) => groupInput(applyPatch(current, operations)), by),
    async remove(id, by) {
      const gone = await inTransaction(database, async (transaction) => {
        if ((await lockTeam(transaction, id)) === undefined) throw unknown();
        const row = required(await findScimGroup(transaction, id));
        if (!mayChange(by.ifMatch, versionOf(groupResource(row, ''))))
          throw new ScimError(412, 'the resource changed since it was read');
        await deleteTeam(transaction, id);
        const diff = { name: { before: row.displayName } };
        await audit.record(transaction, {
          actor: by.actor,
          origin: by.origin,
          target: `team:${id}`,
          action: 'team.delete',
          diff,
        });
        return row;
      });
      await applyRoles(deps, idsOf(gone), by);
    },
  };
}

async function putIn(transaction: Db, id: string, { displayName, externalId, members }: GroupInput): Promise<void> {
  if (await isGroupName(transaction, displayName, id)) throw taken();
  const known = await existingUsers(transaction, members);
  const missing = members.find((member) => !known.has(member));
  if (missing !== undefined) throw new ScimError(400, `there is no user with the id "${missing}"`, 'invalidValue');
  await putScimGroup(transaction, { teamId: id, displayName, externalId });
  await setMembers(transaction, id, members);
}

const idsOf = ({ members }: ScimGroupRow) => members.map(({ id }) => id);
const namesOf = ({ members }: ScimGroupRow) => members.map(({ name }) => name);

function differences(before: ScimGroupRow, after: ScimGroupRow) {
  return {
    ...(before.displayName === after.displayName
      ? {}
      : { name: { before: before.displayName, after: after.displayName } }),
    ...(namesOf(before).join('\n') === namesOf(after).join('\n')
      ? {}
      : { members: { before: namesOf(before), after: namesOf(after) } }),
  };
}

function required<T>(group: T | undefined): T {
  if (group === undefined) throw unknown();
  return group;
}

function unknown(): ScimError {
  return new ScimError(404, 'there is no such group');
}

function taken(): ScimError {
  return new ScimError(409, 'another group has this displayName', 'uniqueness');
}
