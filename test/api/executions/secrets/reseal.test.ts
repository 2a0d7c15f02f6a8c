import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { countSealed, reseal } from '#api/executions/secrets/reseal.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createSecrets, SEALED_SECRETS } from '#api/executions/secrets/secrets.ts';
import { SEALED_COLUMNS } from '#deploy/sealed-columns.ts';
import { usePostgres } from '#test/support/use-services.ts';

const OLD = 'an old secret of the tests, of 32 characters';
const NEW = 'a new secret of the tests, of 32 characters';
const { database } = await usePostgres();
const audit = createAudit();
const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' };

test('more secrets than a batch has are encrypted again; the rest of a row is unchanged', async () => {
  const owner = randomUUID();
  const before = createSecrets({ database, audit }, { secrets: [OLD] });
  const names = Array.from({ length: 450 }, (_, index) => `name-${index}`);
  for (const name of names)
    await before.put({ owner, name, value: `value of ${name}`, hosts: ['example.org'], actor: 'user:1', origin });
  const foreign = createSeal(['a third secret of the tests, of 32 characters']).seal('x', `${owner}/lost`);
  await sql`INSERT INTO execution_secrets (owner, name, sealed) VALUES (${owner}, 'lost', ${foreign})`.execute(
    database,
  );

  expect(await reseal({ database, audit }, [SEALED_SECRETS], [NEW, OLD])).toEqual([
    { values: SEALED_SECRETS.values, resealed: 450, unreadableCount: 1, unreadable: [`${owner}/lost`] },
  ]);
  const after = createSecrets({ database, audit }, { secrets: [NEW] });
  const values = await after.read(owner, names);
  expect(values.size).toBe(450);
  expect(values.get('name-449')).toEqual({ value: 'value of name-449', hosts: ['example.org'] });
  expect(await countSealed(database, [SEALED_SECRETS], [NEW, OLD])).toEqual([
    { values: SEALED_SECRETS.values, current: 450, older: 0, unknown: 1 },
  ]);
  // A second run finds nothing to do.
  expect(await reseal({ database, audit }, [SEALED_SECRETS], [NEW, OLD])).toMatchObject([{ resealed: 0 }]);
});

test('every declared column exists, and every other column of bytes holds hashes, keys or salts', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.data_type = 'bytea'`.execute(
    database,
  );
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const found = rows.map(({ name }) => name);
  expect(found).toEqual(expect.arrayContaining(sealed));
  expect(found.filter((name) => !sealed.includes(name) && !/(hash|salt|public_key)$/.test(name))).toEqual([]);
  await expect(reseal({ database, audit }, SEALED_COLUMNS, [NEW, OLD])).resolves.toHaveLength(sealed.length);
});
