import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { type AuditVerification, verifyAuditLog } from '#api/audit/verify.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';

const ENTRIES = 12;
let database: Database;
let untouched: AuditVerification;

beforeAll(async () => {
  ({ database } = await usePostgres());
  const audit = createAudit();
  for (let index = 1; index <= ENTRIES; index += 1) {
    await inTransaction(database, (transaction) =>
      audit.record(transaction, {
        actor: 'operator',
        target: `rule:${index}`,
        action: 'rule.update',
        diff: { threshold: { before: index, after: index + 0.5 }, note: { after: 'as "agreed"' } },
        origin: { ip: '192.0.2.1', userAgent: 'test', requestId: `request-${index}` },
      }),
    );
  }
  untouched = await verifyAuditLog(database);
  // The owner of the database can remove every protection. The hash chain detects it.
  await sql`GRANT ALL ON audit_log, audit_head TO CURRENT_USER`.execute(database);
  await sql`ALTER TABLE audit_log DISABLE TRIGGER USER`.execute(database);
  await sql`ALTER TABLE audit_head DISABLE TRIGGER USER`.execute(database);
  await sql`CREATE TABLE original AS SELECT * FROM audit_log`.execute(database);
});

async function restore(): Promise<void> {
  await sql`TRUNCATE audit_log`.execute(database);
  await sql`INSERT INTO audit_log SELECT * FROM original`.execute(database);
}

type Tampering = { readonly what: string; readonly first: number; readonly run: () => Promise<unknown> };
const id = fc.integer({ min: 1, max: ENTRIES });
const bit = fc.integer({ min: 0, max: 255 });

/** Each column with the smallest possible change. */
const alterations: Readonly<Record<string, string>> = {
  at: `at + interval '1 millisecond'`,
  actor: `actor || ' '`,
  target: `replace(target, 'rule:', 'rule;')`,
  action: `'user.update'`,
  diff: `replace(diff::text, '.5', '.50')::json`,
  'diff by a space': `(diff::text || ' ')::json`,
  ip: `'192.0.2.2'`,
  user_agent: `''`,
  request_id: `request_id || '0'`,
};

const tamperings: fc.Arbitrary<Tampering> = fc.oneof(
  fc.tuple(id, fc.constantFrom(...Object.keys(alterations))).map(([first, name]) => ({
    what: `${name} of ${first}`,
    first,
    run: () =>
      sql`UPDATE audit_log SET ${sql.ref(name.split(' ')[0] ?? '')} = ${sql.raw(alterations[name] ?? '')} WHERE id = ${first}`.execute(
        database,
      ),
  })),
  fc.tuple(id, fc.constantFrom('hash', 'previous_hash'), bit).map(([first, column, at]) => ({
    what: `bit ${at} of ${column} of ${first}`,
    first,
    run: () =>
      sql`UPDATE audit_log SET ${sql.ref(column)} = set_bit(${sql.ref(column)}, ${at}, 1 - get_bit(${sql.ref(column)}, ${at})) WHERE id = ${first}`.execute(
        database,
      ),
  })),
  fc.tuple(id, fc.integer({ min: 1, max: 4 })).map(([first, count]) => ({
    what: `${count} removed from ${first} on`,
    first,
    run: () => sql`DELETE FROM audit_log WHERE id >= ${first} AND id < ${first + count}`.execute(database),
  })),
  fc
    .tuple(id, id)
    .filter(([a, b]) => a < b)
    .map(([first, second]) => ({
      what: `${first} and ${second} swapped`,
      first,
      run: async () => {
        await sql`UPDATE audit_log SET id = CASE id WHEN ${first} THEN ${second + 1000}::bigint ELSE ${first + 1000}::bigint END WHERE id IN (${first}, ${second})`.execute(
          database,
        );
        await sql`UPDATE audit_log SET id = id - 1000 WHERE id > 1000`.execute(database);
      },
    })),
  id.map((first) => ({
    what: `${first} removed and the rest moved up`,
    first,
    run: async () => {
      await sql`DELETE FROM audit_log WHERE id = ${first}`.execute(database);
      await sql`UPDATE audit_log SET id = id + 999 WHERE id > ${first}`.execute(database);
      await sql`UPDATE audit_log SET id = id - 1000 WHERE id > 1000`.execute(database);
    },
  })),
);

test('verifies an unchanged log', () => {
  expect(untouched).toMatchObject({ verified: ENTRIES, broken: undefined, head: { id: ENTRIES } });
});

test('finds the first entry that was altered, removed or moved', async () => {
  await fc.assert(
    fc.asyncProperty(tamperings, async ({ what, first, run }) => {
      await restore();
      await run();
      const { broken, verified } = await verifyAuditLog(database);
      expect({ what, broken: broken?.id, verified }).toEqual({ what, broken: first, verified: first - 1 });
    }),
    { numRuns: 150 },
  );
  await restore();
  expect(await verifyAuditLog(database)).toEqual(untouched);
});

test('a truncated log with a reset head contradicts a recorded checkpoint', async () => {
  const noted = untouched.head;
  await sql`DELETE FROM audit_log WHERE id > 5`.execute(database);
  await sql`UPDATE audit_head SET id = 5, hash = (SELECT hash FROM audit_log WHERE id = 5)`.execute(database);
  expect((await verifyAuditLog(database)).broken).toBeUndefined();
  expect((await verifyAuditLog(database, noted)).broken).toEqual({ id: 6, fault: 'missing' });
  expect((await verifyAuditLog(database, { id: 5, hash: noted.hash })).broken).toEqual({ id: 5, fault: 'unexpected' });
});
