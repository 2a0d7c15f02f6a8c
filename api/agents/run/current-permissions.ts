import type { Database } from '#api/postgres/database.ts';
import { readConfig } from '../agent-config.ts';
import { type Permissions, permissionsOf } from '../permissions/decide-tool.ts';

/** How long permissions are cached, in ms. A script may make thousands of calls. */
const MAX_AGE_MS = 1_000;

/**
 * Reads the current permissions of an agent at most once per second. If the agent no longer exists, returns the last
 * known ones.
 */
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
