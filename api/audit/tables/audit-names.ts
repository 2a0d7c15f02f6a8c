import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { AuditRow } from './audit-log.ts';

const USER = /^user:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const KEY = /^key:(.{1,64})$/s;

/**
 * What people know those by who stand in entries as actor or target: accounts by their names, keys by label and owner. As they are now, and
 * only where there still is one; the log itself keeps ids, which never change.
 */
export async function namesInAudit(
  db: Db,
  rows: readonly Pick<AuditRow, 'actor' | 'target'>[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(rows.flatMap(({ actor, target }) => [actor, target]))];
  const idsIn = (pattern: RegExp) => named.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  const [userIds, keyIds] = [idsIn(USER), idsIn(KEY)];
  const [users, keys] = await Promise.all([
    userIds.length === 0
      ? []
      : db
          .selectFrom('users')
          .select(['id', 'username'])
          .where('id', '=', sql<string>`ANY(${userIds}::uuid[])`)
          .execute(),
    keyIds.length === 0
      ? []
      : db
          .selectFrom('apiKeys')
          .leftJoin('users', 'users.id', 'apiKeys.userId')
          .select(['apiKeys.keyId', 'apiKeys.label', 'users.username'])
          .where('apiKeys.keyId', '=', sql<string>`ANY(${keyIds}::text[])`)
          .execute(),
  ]);
  return new Map([
    ...users.map(({ id, username }) => [`user:${id}`, username] as const),
    ...keys.map(
      ({ keyId, label, username }) => [`key:${keyId}`, username === null ? label : `${label} of ${username}`] as const,
    ),
  ]);
}
