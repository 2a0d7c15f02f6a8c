import type { Audit } from '#api/audit/port.ts';
import type { Db } from '#api/postgres/database.ts';
import { existingTeams, setMembership } from './tables/teams.ts';
import type { SharedBy } from './teams.ts';

/**
 * Makes a user a member of the teams `member` and removes them from `other`, in the transaction of a sign-in with a
 * provider whose claims determine this. Nonexistent teams are ignored. Each change has an audit entry.
 */
export function createTeamSync({ audit }: { readonly audit: Audit }) {
  return async (
    transaction: Db,
    userId: string,
    { member, other }: { readonly member: readonly string[]; readonly other: readonly string[] },
    { actor, origin }: SharedBy,
  ): Promise<void> => {
    const ids = await existingTeams(transaction, [...member, ...other]);
    for (const name of [...member, ...other].sort()) {
      const teamId = ids.get(name);
      const joins = member.includes(name);
      if (teamId === undefined || !(await setMembership(transaction, teamId, userId, joins))) continue;
      const diff = { name: { after: name }, [joins ? 'joined' : 'left']: { after: `user:${userId}` } };
      await audit.record(transaction, { actor, origin, target: `team:${teamId}`, action: 'team.update', diff });
    }
  };
}
