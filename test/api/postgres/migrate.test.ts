import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDatabase } from '#api/postgres/database.ts';
import { isDatabaseUnavailable, violatedUnique } from '#api/postgres/failure.ts';
import { hostKeys } from '#api/postgres/migrations/0098-host-keys.ts';
import { migrateDatabase, unknownMigrations } from '#api/postgres/migrations/migrate.ts';
import { usePostgres } from '#test/support/use-services.ts';

test('concurrent and later processes run every migration once', async () => {
  const { url, database } = await usePostgres({ migrated: false });
  const other = createDatabase({ url });
  const both = await Promise.all([migrateDatabase(database), migrateDatabase(other)]);
  await other.destroy();
  // Each migration has a file of its name: a file that is not listed would never run.
  const files = await readdir(new URL('../../../api/postgres/migrations', import.meta.url));
  const names = files.filter((name) => /^\d/.test(name)).map((name) => name.replace(/\.ts$/, ''));
  expect(both.flat()).toEqual(names.sort());
  expect(await migrateDatabase(database)).toEqual([]);
});

test('accepts a database of a newer version with additions only, and otherwise rejects it with advice', async () => {
  const { database } = await usePostgres();
  await sql`INSERT INTO kysely_migration VALUES ('9997-added', now()::text)`.execute(database);
  expect(await migrateDatabase(database)).toEqual([]);
  await sql`INSERT INTO kysely_migration VALUES ('9998-newer-since-99-0-0', now()::text), ('9999-newest-since-99-1-0', now()::text)`.execute(
    database,
  );
  await expect(migrateDatabase(database)).rejects.toMatchObject({
    name: 'DatabaseTooNew',
    message:
      'the PostgreSQL database was migrated by a newer Trapline (incompatible migrations: 9998-newer-since-99-0-0, 9999-newest-since-99-1-0): start that version, or restore a backup from before it',
  });
  expect(await unknownMigrations(database)).toEqual([
    '9997-added',
    '9998-newer-since-99-0-0',
    '9999-newest-since-99-1-0',
  ]);
});

test('the audit log rejects changes by privilege, and by trigger if the owner restores the privilege', async () => {
  const { database } = await usePostgres();
  await expect(database.deleteFrom('auditLog').execute()).rejects.toThrow('permission denied');
  await sql`GRANT UPDATE, DELETE, TRUNCATE ON audit_log TO CURRENT_USER`.execute(database);
  for (const change of [sql`DELETE FROM audit_log`, sql`TRUNCATE audit_log`, sql`UPDATE audit_log SET actor = ''`]) {
    await expect(change.execute(database)).rejects.toThrow('the audit log is append-only');
  }
});

test('user names and addresses are unique regardless of case', async () => {
  const { database } = await usePostgres();
  const add = (username: string, email: string) =>
    database.insertInto('users').values({ username, email, passwordHash: null }).execute();
  await add('Ada', 'ada@example.org');
  expect(violatedUnique(await add('ada', 'b@example.org').catch((error: unknown) => error))).toBe('users_username_key');
  expect(violatedUnique(await add('b', 'ada@example.org').catch((error: unknown) => error))).toBe(undefined); // too short a name
  expect(violatedUnique(await add('bob', 'ada@example.org').catch((error: unknown) => error))).toBe('users_email_key');
});

test('distinguishes an unavailable server from an invalid query', async () => {
  // A port without a server, and the socket of a server that is restarting.
  for (const host of ['127.0.0.1:1', '%2Fnonexistent:1']) {
    const away = createDatabase({ url: `postgres://unknown@${host}/none` });
    const refused = await sql`SELECT 1`.execute(away).catch((error: unknown) => error);
    await away.destroy();
    expect(isDatabaseUnavailable(refused)).toBe(true);
  }
  expect(isDatabaseUnavailable(Object.assign(new Error('a file'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
  const { database } = await usePostgres({ migrated: false });
  expect(isDatabaseUnavailable(await sql`SELECT nothing`.execute(database).catch((error: unknown) => error))).toBe(
    false,
  );
});

test('keys of already enrolled hosts no longer belong to a user', async () => {
  const { database } = await usePostgres();
  await sql`ALTER TABLE api_keys DROP hostname, ALTER user_id SET NOT NULL`.execute(database);
  await sql`ALTER TABLE detectors DROP refused_events, DROP dropped_events`.execute(database);
  await sql`
    WITH owner AS (INSERT INTO users (username, email) VALUES ('enroller', 'enroller@example.org') RETURNING id),
      keys AS (INSERT INTO api_keys (key_id, user_id, secret_hash, label, scopes)
        SELECT key_id, id, 'h', key_id, '{events:write}' FROM owner, unnest(ARRAY['of-host', 'of-user']) AS key_id)
    SELECT 1`.execute(database);
  await sql`INSERT INTO detectors (hostname, key_id) VALUES ('web-7', 'of-host')`.execute(database);
  await hostKeys.up(database);
  const keys = await database.selectFrom('apiKeys').select(['keyId', 'userId', 'hostname']).orderBy('keyId').execute();
  expect(keys).toEqual([
    { keyId: 'of-host', userId: null, hostname: 'web-7' },
    { keyId: 'of-user', userId: expect.any(String), hostname: null },
  ]);
  const { rows } = await sql<{ used: string }>`
    SELECT ((SELECT coalesce(sum(used), 0) FROM user_usage WHERE resource = 'api_keys')
      + (SELECT coalesce(sum(amount), 0) FROM usage_notes WHERE resource = 'api_keys'))::text AS used`.execute(
    database,
  );
  expect(rows).toEqual([{ used: '1' }]);
});
