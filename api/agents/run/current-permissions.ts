import type { Database } from '#api/postgres/database.ts';
import { readConfig } from '../agent-config.ts';
import { type Permissions, permissionsOf } from '../permissions/decide-tool.ts';

/** A script may make thousands of calls: what was read serves for this long, ms. */
const MAX_AGE_MS = 1_000;

/** Reads the permissions of an agent as they are now, at most once a second. One that is not there any more keeps those it had. */
export function createCurrentPermissions(
  { database, now = () => performance.now() }: { readonly database: Database; readonly now?: () => number },
  agentId: string,
  initial: Permissions,
): () => Promise<Permissions> {
  let known = { permissions: initial, readAt: now() };
  return async () => {
    if (now() - known.readAt < MAX_AGE_MS) return known.permissions;
    const readAt = now();
    const row = await database.selectFrom('agents').select('config').where('id', '=', agentId).executeTakeFirst();
    known = { permissions: row === undefined ? known.permissions : permissionsOf(readConfig(row.config)), readAt };
    return known.permissions;
  };
}
