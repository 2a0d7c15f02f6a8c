import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { newSharingId } from './sharing-id.ts';
import { usersByName } from './tables/people.ts';
import {
  deleteTeam,
  findTeam,
  insertTeam,
  lockTeam,
  setMembers,
  type TeamWithMembers,
  updateTeam,
} from './tables/teams.ts';

export interface SharedBy {
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}

export interface TeamChange {
  readonly description?: string | undefined;
  /** Usernames of all members. */
  readonly members?: readonly string[] | undefined;
}

/** Changes of teams, each with an audit entry. Functions reject with `ApiError` for unknown teams or users. */
export interface Teams {
  create(team: TeamChange & { readonly name: string }, by: SharedBy): Promise<TeamWithMembers>;
  change(id: string, change: TeamChange, by: SharedBy): Promise<TeamWithMembers>;
  /** Removes a team. Its members lose the permissions that they had through it. */
  remove(id: string, by: SharedBy): Promise<void>;
}

export function createTeams({ database, audit }: { readonly database: Database; readonly audit: Audit }): Teams {
  return {
    async create({ name, description = '', members = [] }, { actor, origin }) {
      const id = newSharingId('team');
      return inTransaction(database, async (transaction) => {
        await insertTeam(transaction, { id, name, description });
        await putMembers(transaction, id, members);
        const diff = { name: { after: name }, members: { after: members } };
        await audit.record(transaction, { actor, origin, target: `team:${id}`, action: 'team.create', diff });
        return required(await findTeam(transaction, id));
      }).catch((error: unknown) => {
        if (violatedUnique(error) === 'teams_name_key')
          throw apiError('conflict', 'another team has this name', 'name');
        throw error;
      });
    },

    change: (id, { description, members }, { actor, origin }) =>
      inTransaction(database, async (transaction) => {
        await lockTeam(transaction, id);
        const before = required(await findTeam(transaction, id));
        if (description !== undefined) await updateTeam(transaction, id, { description });
        if (members !== undefined) await putMembers(transaction, id, members);
        const after = required(await findTeam(transaction, id));
        const diff = {
          ...changed('description', before.description, after.description),
          ...changed('members', namesOf(before), namesOf(after)),
        };
        if (Object.keys(diff).length > 0)
          await audit.record(transaction, { actor, origin, target: `team:${id}`, action: 'team.update', diff });
        return after;
      }),

    remove: (id, { actor, origin }) =>
      inTransaction(database, async (transaction) => {
        const { name } = required(await lockTeam(transaction, id));
        await deleteTeam(transaction, id);
        const diff = { name: { before: name } };
        await audit.record(transaction, { actor, origin, target: `team:${id}`, action: 'team.delete', diff });
      }),
  };
}

async function putMembers(transaction: Db, teamId: string, usernames: readonly string[]): Promise<void> {
  const found = await usersByName(transaction, usernames);
  const unknown = usernames.find((name) => !found.has(name.toLowerCase()));
  if (unknown !== undefined) throw apiError('invalid_value', `there is no user named "${unknown}"`, 'members');
  await setMembers(transaction, teamId, [...found.values()]);
}

function required<T>(team: T | undefined): T {
  if (team === undefined) throw apiError('not_found', 'there is no such team');
  return team;
}

const namesOf = ({ members }: TeamWithMembers) => members.map(({ username }) => username);

function changed(field: string, before: unknown, after: unknown) {
  return JSON.stringify(before) === JSON.stringify(after) ? {} : { [field]: { before, after } };
}
