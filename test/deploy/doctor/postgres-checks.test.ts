import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { judgeCompiler } from '#deploy/doctor/judge-compiler.ts';
import { postgresChecks } from '#deploy/doctor/postgres-checks.ts';
import { administer, databaseUrl } from '#test/support/services/postgres-template.ts';
import { askForService } from '#test/support/services/services-server.ts';
import { randomName, usePostgres } from '#test/support/use-services.ts';

async function finding(name: string, url: string) {
  const resolved = resolveConfig({ environment: { DATABASE_URL: url } });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  const checks = postgresChecks(resolved.config).filter((check) => check.name === name);
  return (await runChecks(checks))[0];
}
const encodingOf = (url: string) => finding('PostgreSQL encoding', url);
const compilerOf = (url: string) => finding('PostgreSQL compiler', url);

test('accepts a database in UTF8', async () => {
  const { url } = await usePostgres({ migrated: false });
  expect(await encodingOf(url)).toMatchObject({ state: 'fine', found: 'UTF8' });
});

test('reports a database in SQL_ASCII, as initdb without a locale creates it, with the remedy', async () => {
  const template = await askForService(inject('servicesUrl'), 'postgresTemplate');
  const name = randomName('ascii');
  await administer(
    template.url,
    `CREATE DATABASE ${name} OWNER ${template.name} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  onTestFinished(() => administer(template.url, `DROP DATABASE ${name} WITH (FORCE)`));
  const encoding = await encodingOf(databaseUrl(template, name));
  expect(encoding).toMatchObject({ state: 'wrong' });
  expect(encoding?.found).toMatch(/^SQL_ASCII: /);
  expect(encoding?.advice).toContain("ENCODING 'UTF8' TEMPLATE template0");
});

test('reports a trigger whose statements may be compiled at each execution, with the remedy', async () => {
  const { url, database } = await usePostgres();
  expect(await compilerOf(url)).toMatchObject({ state: 'fine', found: 'statements are not compiled' });
  // The same happens when a later migration replaces the function without its settings.
  await sql`ALTER FUNCTION record_execution_changes() RESET jit`.execute(database);
  const compiler = await compilerOf(url);
  expect(compiler).toMatchObject({ state: 'wrong' });
  expect(compiler?.found).toMatch(/^record_execution_changes\(\) /);
  await sql.raw(/ALTER FUNCTION .*;/.exec(compiler?.advice ?? '')?.[0] ?? '').execute(database);
  expect(await compilerOf(url)).toMatchObject({ state: 'fine' });
});

test('warns about pooler sessions that compile statements, with the remedy', () => {
  const compiler = judgeCompiler({ compiles: true, role: 'trapline', functions: [] });
  expect(compiler).toMatchObject({ state: 'look' });
  expect(compiler.advice).toContain('ALTER ROLE "trapline" SET jit = off');
});
