import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { AuditRow } from './audit-log.ts';

/** A record to which entries refer. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Names of detections, which are not in PostgreSQL. */
export type ReadDetectionNames = (ids: readonly string[]) => Promise<readonly Named[]>;

interface NamedKind {
  /** Format of the ids; other ids are not queried. */
  readonly id: RegExp;
  readonly read: (db: Db, ids: readonly string[]) => Promise<readonly Named[]>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TEXT_ID = /^.{1,64}$/s;

/** Kinds of records with names, by the prefix of their ids. */
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
    // An ended session has no row. Its first audit entry, of the sign-in, contains the user.
    async read(db, ids) {
      const { rows } = await sql<Named>`
        SELECT wanted.id::text, users.username AS name
        FROM unnest(${[...ids]}::uuid[]) AS wanted (id)
        LEFT JOIN sessions ON sessions.id = wanted.id
        LEFT JOIN LATERAL (
          SELECT actor FROM audit_log WHERE target = 'session:' || wanted.id AND actor ~ '^user:[0-9a-f-]{36}$' ORDER BY id LIMIT 1
        ) AS began ON sessions.id IS NULL
        JOIN users ON users.id = coalesce(sessions.user_id, substr(began.actor, 6)::uuid)`.execute(db);
      return rows;
    },
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
  exception: { id: TEXT_ID, read: (db, ids) => readCoverage(db, 'detection_exceptions', ids) },
  'exception-request': { id: TEXT_ID, read: (db, ids) => readCoverage(db, 'exception_requests', ids) },
  'detector-token': {
    id: UUID,
    async read(db, ids) {
      const tokens = await db
        .selectFrom('detectorTokens')
        .select(['id', 'hostname', 'usedBy'])
        .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
        .execute();
      return tokens.map(({ id, hostname, usedBy }) => ({ id, name: hostname ?? usedBy ?? 'any host' }));
    },
  },
  team: {
    id: TEXT_ID,
    read: (db, ids) =>
      db.selectFrom('teams').select(['id', 'name']).where('id', '=', sql<string>`ANY(${ids}::text[])`).execute(),
  },
};

/** Returns the conditions of exceptions, or of requests for them, joined by commas. */
async function readCoverage(
  db: Db,
  table: 'detection_exceptions' | 'exception_requests',
  ids: readonly string[],
): Promise<readonly Named[]> {
  const { rows } = await sql<Named>`
    SELECT id, concat_ws(', ', rule, hostname, program, file) AS name FROM ${sql.table(table)} WHERE id = ANY(${[...ids]}::text[])`.execute(
    db,
  );
  return rows;
}

/**
 * Returns display names of the actors and targets of entries: names of accounts, workflows, agents, outputs, templates
 * and teams; label and owner of keys; users of sessions; number and title of cases; titles of detections; conditions of
 * exceptions; hosts of detector tokens. Names are the present ones, and deleted records have none; the log itself
 * stores ids, which never change. Detections have no names while `readDetectionNames` fails.
 */
export async function namesInAudit(
  db: Db,
  rows: readonly Pick<AuditRow, 'actor' | 'target'>[],
  readDetectionNames: ReadDetectionNames = async () => [],
): Promise<ReadonlyMap<string, string>> {
  const detection: NamedKind = { id: TEXT_ID, read: (_db, ids) => readDetectionNames(ids).catch(() => []) };
  const mentioned = [...new Set(rows.flatMap(({ actor, target }) => [actor, target]))];
  const named = await Promise.all(
    Object.entries({ ...KINDS, detection }).map(async ([kind, { id, read }]) => {
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
