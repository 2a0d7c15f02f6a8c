import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { AuditRow } from './audit-log.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface NamedKind {
  /** What the ids look like; others are not asked for. */
  readonly id: RegExp;
  readonly read: (db: Db, ids: readonly string[]) => Promise<readonly Named[]>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TEXT_ID = /^.{1,64}$/s;

/** Records with names, by the words before their ids. */
const KINDS: Readonly<Record<string, NamedKind>> = {
  user: {
    id: UUID,
    read: (db, ids) =>
      db
        .selectFrom('users')
        .select(['id', 'username as name'])
        .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
        .execute(),
  },
  session: {
    id: UUID,
    read: (db, ids) =>
      db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .select(['sessions.id', 'users.username as name'])
        .where('sessions.id', '=', sql<string>`ANY(${ids}::uuid[])`)
        .execute(),
  },
  key: {
    id: TEXT_ID,
    async read(db, ids) {
      const keys = await db
        .selectFrom('apiKeys')
        .leftJoin('users', 'users.id', 'apiKeys.userId')
        .select(['apiKeys.keyId', 'apiKeys.label', 'users.username'])
        .where('apiKeys.keyId', '=', sql<string>`ANY(${ids}::text[])`)
        .execute();
      return keys.map(({ keyId, label, username }) => ({
        id: keyId,
        name: username === null ? label : `${label} of ${username}`,
      }));
    },
  },
  case: {
    id: TEXT_ID,
    async read(db, ids) {
      const cases = await db
        .selectFrom('cases')
        .select(['id', 'number', 'title'])
        .where('id', '=', sql<string>`ANY(${ids}::text[])`)
        .execute();
      return cases.map(({ id, number, title }) => ({ id, name: `#${number} ${title}` }));
    },
  },
  workflow: {
    id: TEXT_ID,
    read: (db, ids) =>
      db
        .selectFrom('workflows')
        .select(['id', 'slug as name'])
        .where('id', '=', sql<string>`ANY(${ids}::text[])`)
        .execute(),
  },
  agent: {
    id: TEXT_ID,
    read: (db, ids) =>
      db.selectFrom('agents').select(['id', 'name']).where('id', '=', sql<string>`ANY(${ids}::text[])`).execute(),
  },
  output: {
    id: TEXT_ID,
    read: (db, ids) =>
      db.selectFrom('outputs').select(['id', 'name']).where('id', '=', sql<string>`ANY(${ids}::text[])`).execute(),
  },
  'case-template': {
    id: TEXT_ID,
    read: (db, ids) =>
      db
        .selectFrom('caseTemplates')
        .select(['id', 'name'])
        .where('id', '=', sql<string>`ANY(${ids}::text[])`)
        .execute(),
  },
  team: {
    id: TEXT_ID,
    read: (db, ids) =>
      db.selectFrom('teams').select(['id', 'name']).where('id', '=', sql<string>`ANY(${ids}::text[])`).execute(),
  },
};

/**
 * What people know those by who stand in entries as actor or target: accounts, workflows, agents, outputs, templates and teams by their names, keys by label and owner,
 * sessions by their user, cases by number and title. As they are now, and only where there still is one; the log itself keeps ids, which never change.
 */
export async function namesInAudit(
  db: Db,
  rows: readonly Pick<AuditRow, 'actor' | 'target'>[],
): Promise<ReadonlyMap<string, string>> {
  const mentioned = [...new Set(rows.flatMap(({ actor, target }) => [actor, target]))];
  const named = await Promise.all(
    Object.entries(KINDS).map(async ([kind, { id, read }]) => {
      const ids = mentioned
        .filter((text) => text.startsWith(`${kind}:`))
        .map((text) => text.slice(kind.length + 1))
        .filter((text) => id.test(text));
      const found = ids.length === 0 ? [] : await read(db, ids);
      return found.map(({ id: of, name }) => [`${kind}:${of}`, name] as const);
    }),
  );
  return new Map(named.flat());
}
