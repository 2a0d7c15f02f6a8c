import { beforeAll, expect, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import type { AuditEntry, CommittedAuditEntry } from '#api/audit/port.ts';
import { listAuditRows } from '#api/audit/tables/audit-log.ts';
import { verifyAuditLog } from '#api/audit/verify.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';

let database: Database;
let url: string;
beforeAll(async () => {
  ({ database, url } = await usePostgres());
});

const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: 'system',
  target: 'user:1',
  action: 'user.update',
  origin: { ip: '192.0.2.1', userAgent: 'test', requestId: 'request-1' },
  ...fields,
});

test('an entry commits together with the change that it records, and listeners are notified after the commit', async () => {
  const heard: CommittedAuditEntry[] = [];
  const audit = createAudit({ onCommitted: (committed) => heard.push(committed) });
  await inTransaction(database, async (transaction) => {
    await audit.record(
      transaction,
      entry({ target: 'user:first', diff: { role: { before: 'user', after: 'admin' } } }),
    );
    await audit.record(transaction, entry({ target: 'user:second', diff: { password: { after: 'hunter2' } } }));
    expect(heard).toEqual([]);
  });
  const failed = inTransaction(database, async (transaction) => {
    await audit.record(transaction, entry({ target: 'user:never' }));
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');

  const { rows, total } = await listAuditRows(database, {}, { limit: 10, offset: 0 });
  expect(total).toBe(2);
  expect(rows.map(({ id, target, diff }) => ({ id, target, diff }))).toEqual([
    { id: 2, target: 'user:second', diff: { password: { after: '[redacted]' } } },
    { id: 1, target: 'user:first', diff: { role: { before: 'user', after: 'admin' } } },
  ]);
  expect(heard.map(({ id, hash }) => ({ id, hash }))).toEqual(
    rows.toReversed().map(({ id, hash }) => ({ id, hash: hash.toString('hex') })),
  );
  expect(heard[0]).toMatchObject({ ...entry({ target: 'user:first' }), at: rows[1]?.at });
});

test('concurrent entries of two processes form a chain without gaps and deadlocks', async () => {
  const before = await verifyAuditLog(database);
  const other = createDatabase({ url });
  const audits = [createAudit(), createAudit()];
  // Each transaction also updates one of two rows between its entries, as routes do.
  await database
    .insertInto('pageViews')
    .values([{ slug: 'a' }, { slug: 'b' }])
    .execute();
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      inTransaction(index % 2 === 0 ? database : other, async (transaction) => {
        const audit = audits[index % 2];
        await audit?.record(transaction, entry({ target: `page:${index}` }));
        const slug = index % 3 === 0 ? 'a' : 'b';
        await transaction.updateTable('pageViews').set({ views: index }).where('slug', '=', slug).execute();
        await audit?.record(transaction, entry({ target: `page:${index}` }));
      }),
    ),
  );
  await other.destroy();
  expect(await verifyAuditLog(database)).toMatchObject({ verified: before.verified + 120, broken: undefined });
});

test('the list supports filters and pages', async () => {
  const audit = createAudit();
  await inTransaction(database, async (transaction) => {
    for (let index = 0; index < 5; index += 1)
      await audit.record(transaction, entry({ actor: 'user:filter', target: `rule:${index}`, action: 'rule.update' }));
  });
  const page = await listAuditRows(database, { actor: ['user:filter'] }, { limit: 2, offset: 1 });
  expect(page.total).toBe(5);
  expect(page.rows.map(({ target }) => target)).toEqual(['rule:3', 'rule:2']);
  const [newest] = page.rows;
  const list = (filters: Parameters<typeof listAuditRows>[1]) =>
    listAuditRows(database, { actor: ['user:filter'], ...filters }, { limit: 100, offset: 0 });
  expect((await list({ target: ['rule:2'] })).total).toBe(1);
  expect((await list({ action: ['user.lock'] })).total).toBe(0);
  expect((await list({ to: newest?.at })).total).toBe(0);
  expect((await list({ from: newest?.at })).total).toBe(5);
});

test('a transaction without commit notification rejects an entry', async () => {
  await expect(createAudit().record(database, entry())).rejects.toThrow('inTransaction');
});

test('the database rejects an entry that does not follow the last one, and a head that moves alone', async () => {
  const fields = {
    actor: '',
    target: '',
    action: '',
    diff: '{}',
    ip: '',
    userAgent: '',
    requestId: '',
    at: new Date(),
  };
  const stray = { ...fields, previousHash: Buffer.alloc(32), hash: Buffer.alloc(32) };
  const head = await database.selectFrom('auditHead').selectAll().executeTakeFirstOrThrow();
  for (const id of [1, head.id, head.id + 1, head.id + 2])
    await expect(
      database
        .insertInto('auditLog')
        .values({ ...stray, id })
        .execute(),
    ).rejects.toThrow('does not follow');
  await expect(database.updateTable('auditHead').set({ id: 1 }).execute()).rejects.toThrow('with its entries only');
  await expect(database.deleteFrom('auditHead').execute()).rejects.toThrow('permission denied');
});
