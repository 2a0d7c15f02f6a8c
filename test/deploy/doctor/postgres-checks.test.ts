import { expect, inject, onTestFinished, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { postgresChecks } from '#deploy/doctor/postgres-checks.ts';
import { administer, databaseUrl } from '#test/support/services/postgres-template.ts';
import { askForService } from '#test/support/services/services-server.ts';
import { randomName, usePostgres } from '#test/support/use-services.ts';

async function encodingOf(url: string) {
  const resolved = resolveConfig({ environment: { DATABASE_URL: url } });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  const checks = postgresChecks(resolved.config).filter(({ name }) => name === 'PostgreSQL encoding');
  return (await runChecks(checks))[0];
}

test('a database in UTF8 is fine', async () => {
  const { url } = await usePostgres({ migrated: false });
  expect(await encodingOf(url)).toMatchObject({ state: 'fine', found: 'UTF8' });
});

test('a database in SQL_ASCII, as initdb without a locale makes it, is wrong, with the remedy', async () => {
  const template = await askForService(inject('servicesUrl'), 'postgresTemplate');
  const name = randomName('ascii');
  await administer(
    template.url,
    `CREATE DATABASE ${name} OWNER ${template.name} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  onTestFinished(() => administer(template.url, `DROP DATABASE ${name} WITH (FORCE)`));
  const finding = await encodingOf(databaseUrl(template, name));
  expect(finding).toMatchObject({ state: 'wrong' });
  expect(finding?.found).toMatch(/^SQL_ASCII: /);
  expect(finding?.advice).toContain("ENCODING 'UTF8' TEMPLATE template0");
});
