import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { createAudit } from '#api/audit/audit.ts';
import { detectorsDeps } from '#api/detectors/detectors-deps.ts';
import { registerDetectors } from '#api/detectors/register-detectors.ts';
import { runKeyedApp } from '#test/api/keyed-app.ts';
import { OPERATOR_KEY } from '#test/api/running-app.ts';
import { removeHome } from '#test/support/trapline-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runCommand } from '../run-command.ts';

const { url } = await usePostgres();
const hasher = createHasher({ threads: 1, cost: 4 });
const app = await runKeyedApp(url, (server, { database, revokeKey }) => {
  registerDetectors(
    server,
    detectorsDeps({ database, audit: createAudit(), ...createKeyMaking({ hasher }), revokeKey }),
  );
});
const home = await mkdtemp(path.join(tmpdir(), 'trapline-detectors-'));
afterAll(async () => {
  await app.end();
  await hasher.close();
  await removeHome(home);
});

const onServer = (...args: string[]) =>
  runCommand(['detectors', ...args], { environment: { TRAPLINE_URL: app.url, TRAPLINE_API_KEY: OPERATOR_KEY } });
const dataDir = path.join(home, 'data');
const onHost = (...args: string[]) =>
  runCommand(['detectors', ...args], { environment: { TRAPLINE_DATA_DIR: dataDir } });

it('a token created on the server enrols a host, which is listed and revoked', async () => {
  const made = await onServer('token', '--hostname', 'web-7', '--minutes', '5');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { token } = JSON.parse(made.stdout);

  const enrolled = await onHost('enroll', app.url, token, '--hostname', 'web-7');
  const keyFile = path.join(dataDir, 'detector.key');
  expect(enrolled).toMatchObject({ code: 0, stdout: '' });
  expect(enrolled.stderr).toContain(`web-7 is enrolled; its key is in ${keyFile}`);
  expect(enrolled.stderr).toContain(`TRAPLINE_API_KEY_FILE=${keyFile} `);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect(enrolled.stderr).not.toContain((await readFile(keyFile, 'utf8')).trim());
  expect(await onHost('enroll', app.url, token, '--hostname', 'web-7')).toMatchObject({ code: 1 });

  expect(JSON.parse((await onServer('list')).stdout)).toMatchObject({ data: [{ hostname: 'web-7', silent: false }] });
  expect(await onServer('revoke', 'web-7')).toMatchObject({ code: 0, stdout: '{"hostname":"web-7","revoked":true}\n' });
  expect(JSON.parse((await onServer('list')).stdout)).toEqual({ data: [] });
  expect(await onServer('revoke', 'web-7')).toMatchObject({ code: 1 });
});

it('a wrong option is reported with its name', async () => {
  const long = await onServer('token', '--minutes', '999999');
  expect(long).toMatchObject({ code: 2, stdout: '' });
  expect(long.stderr).toContain('--minutes: ');
});
