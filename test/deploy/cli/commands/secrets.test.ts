import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { putSecret } from '#api/executions/tables/execution-secrets.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { sharedChecks } from '#deploy/doctor/shared-checks.ts';
import { platformSecrets, secretFileOf } from '#deploy/platform-secrets.ts';
import { requireSharedSecrets } from '#deploy/shared-secrets.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { usePostgres, useRedis } from '#test/support/use-services.ts';
import { runCommand } from '../run-command.ts';

function dataDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Creates a database and returns a function that configures a process on it. Each process has its own settings and data
 * directory.
 */
async function installation(options: { migrated?: boolean } = {}) {
  const { url, database } = await usePostgres(options);
  const processOf = (settings: Record<string, string> = {}) => {
    const environment = { DATABASE_URL: url, TRAPLINE_DATA_DIR: dataDirectory(), ...settings };
    const result = resolveConfig({ environment });
    if (!result.ok) throw new Error(result.errors.join('\n'));
    const { config } = result;
    return {
      config,
      environment,
      start: async () => requireSharedSecrets(config, database, await platformSecrets(config)),
      async doctor() {
        const results = await runChecks(sharedChecks(config));
        return Object.fromEntries(results.map(({ check, ...finding }) => [check, finding]));
      },
      record: (...names: string[]) => runCommand(['secrets', 'record', ...names], { environment }),
      reseal: () => runCommand(['secrets', 'reseal'], { environment }),
    };
  };
  return Object.assign(processOf, { database });
}

test('processes with generated secrets share a data directory; otherwise the second is rejected with the names of the secrets', async () => {
  const processOf = await installation();
  const first = processOf();
  const second = processOf();
  await first.start();
  await processOf({ TRAPLINE_DATA_DIR: first.environment.TRAPLINE_DATA_DIR }).start();

  const error: Error = await second.start().then(
    () => expect.unreachable(),
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ exitCode: 2 });
  for (const name of ['AUTH_SECRET', 'JWT_SECRET'] as const)
    expect(error.message).toContain(
      `${name} is not set, and ${secretFileOf(second.config, name)} differs from the one that this database was first used with: set ${name} to`,
    );
  const { auth, jwt } = await platformSecrets(first.config);
  await processOf({ AUTH_SECRET: auth[0], JWT_SECRET: jwt[0] }).start();
});

test('configured secrets must be equal; the error names only the differing one and no value', async () => {
  const processOf = await installation();
  const secrets = sharedSecrets();
  const other = sharedSecrets();
  await processOf(secrets).start();
  await processOf(secrets).start();
  const error: Error = await processOf({ ...secrets, JWT_SECRET: other.JWT_SECRET })
    .start()
    .then(
      () => expect.unreachable(),
      (reason: Error) => reason,
    );
  expect(error.message).toContain('JWT_SECRET differs from the one that this database was first used with');
  expect(error.message).not.toContain('AUTH_SECRET');
  for (const value of [...Object.values(secrets), ...Object.values(other)]) expect(error.message).not.toContain(value);
  // Rotation: the new secret signs and the old one is still accepted. After that only the new one is accepted.
  const { AUTH_SECRET } = secrets;
  await processOf({ AUTH_SECRET, JWT_SECRET: `${other.JWT_SECRET},${secrets.JWT_SECRET}` }).start();
  await processOf({ AUTH_SECRET, JWT_SECRET: other.JWT_SECRET }).start();
  await expect(processOf(secrets).start()).rejects.toThrow('JWT_SECRET differs');
});

test('doctor compares secrets without changing anything', async () => {
  const processOf = await installation({ migrated: false });
  const fresh = processOf();
  expect(await fresh.doctor()).toMatchObject({
    AUTH_SECRET: { state: 'look', found: 'not set: generated at the first start' },
    'shared limits': { state: 'look', advice: expect.stringContaining('set REDIS_URL') },
  });
  expect(readdirSync(fresh.environment.TRAPLINE_DATA_DIR)).toEqual([]);
});

test('doctor reports different, rotated, generated and missing secrets', async () => {
  const processOf = await installation();
  const secrets = sharedSecrets();
  const other = sharedSecrets();
  expect(await processOf(secrets).doctor()).toMatchObject({ AUTH_SECRET: { state: 'fine' } });
  await processOf(secrets).start();
  const redis = await useRedis();
  const rotated = `${other.AUTH_SECRET},${secrets.AUTH_SECRET}`;
  expect(await processOf({ ...secrets, AUTH_SECRET: rotated, REDIS_URL: redis.url }).doctor()).toEqual({
    AUTH_SECRET: { state: 'fine', found: expect.stringContaining('becomes the one of this database') },
    JWT_SECRET: { state: 'fine', found: 'set; the one that this database is used with' },
    'encrypted values': { state: 'fine', found: '0, by the first value of AUTH_SECRET' },
    'shared limits': { state: 'fine', found: expect.stringContaining('Redis answers') },
  });
  expect(await processOf(other).doctor()).toMatchObject({
    AUTH_SECRET: { state: 'wrong', found: expect.stringContaining('AUTH_SECRET differs') },
    JWT_SECRET: { state: 'wrong', found: expect.stringContaining('JWT_SECRET differs') },
  });
  const unset = processOf();
  expect(await unset.doctor()).toMatchObject({
    AUTH_SECRET: { state: 'wrong', found: expect.stringMatching(/^not set, and this data/) },
  });
  expect(readdirSync(unset.environment.TRAPLINE_DATA_DIR)).toEqual([]);
  expect(
    await runChecks(sharedChecks({ ...unset.config, postgres: { ...unset.config.postgres, directUrl: undefined } })),
  ).toEqual([]);
});

test('`secrets record` replaces a lost secret', async () => {
  const processOf = await installation();
  const other = processOf(sharedSecrets());
  await processOf(sharedSecrets()).start();
  await expect(other.start()).rejects.toThrow('if that one is lost, run `trapline secrets record AUTH_SECRET`');
  const { code, stderr } = await other.record('AUTH_SECRET');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('AUTH_SECRET is recorded') });
  await expect(other.start()).rejects.toThrow('JWT_SECRET differs');
  await other.record('JWT_SECRET');
  await other.start();

  expect(await processOf().record('AUTH_SECRET')).toMatchObject({
    code: 2,
    stderr: 'trapline: AUTH_SECRET is not set\n',
  });
  expect(await other.record('ADMIN_KEY')).toMatchObject({ code: 2 });
  expect(await runCommand(['secrets', 'record', 'AUTH_SECRET'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('set DATABASE_URL'),
  });
});

test('`secrets reseal` encrypts with the first value, so that the old one can be removed', async () => {
  const processOf = await installation();
  const secrets = sharedSecrets();
  const newer = sharedSecrets().AUTH_SECRET;
  const rotated = processOf({ ...secrets, AUTH_SECRET: `${newer},${secrets.AUTH_SECRET}` });
  await processOf(secrets).start();
  const sealed = createSeal([secrets.AUTH_SECRET]).seal('token', 'operator/one');
  await putSecret(processOf.database, { owner: 'operator', name: 'one', sealed });

  expect(await rotated.reseal()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no process uses the first value of AUTH_SECRET yet'),
  });
  await rotated.start();
  expect((await rotated.doctor())['encrypted values']).toMatchObject({
    state: 'look',
    found: 'an older value of AUTH_SECRET encrypted 1 in secrets of workflows and agents',
  });
  const alone = processOf({ ...secrets, AUTH_SECRET: newer });
  expect((await alone.doctor())['encrypted values']).toMatchObject({
    state: 'look',
    found: 'no value of AUTH_SECRET decrypts 1 in secrets of workflows and agents',
  });
  expect(await alone.reseal()).toMatchObject({ code: 1, stderr: expect.stringContaining('operator/one') });

  expect(await rotated.reseal()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('secrets of workflows and agents: 1 encrypted again\n'),
    stderr: '',
  });
  expect((await alone.doctor())['encrypted values']).toEqual({
    state: 'fine',
    found: '1, by the first value of AUTH_SECRET',
  });
  const audited = await processOf.database.selectFrom('auditLog').select(['action', 'target']).execute();
  expect(audited).toEqual([{ action: 'secret.reseal', target: 'sealed-column:execution_secrets.sealed' }]);
  expect(await processOf(secrets).reseal()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('AUTH_SECRET differs'),
  });
  expect(await runCommand(['secrets', 'reseal'], { environment: { AUTH_SECRET: newer } })).toMatchObject({
    code: 2,
    stderr: 'trapline: the embedded PostgreSQL does not run: start the service first, or set DATABASE_URL\n',
  });
});
