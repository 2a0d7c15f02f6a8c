import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'trapline-refused-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const LONG = 'x'.repeat(32);
const PRODUCTION = {
  NODE_ENV: 'production',
  AUTH_SECRET: LONG,
  JWT_SECRET: LONG,
  ADMIN_KEY: LONG,
  ALLOWED_ORIGIN: 'https://trapline.example.org',
  AUTH_URL: 'https://trapline.example.org',
  SMTP_URL: 'smtp://127.0.0.1:1',
};
const start = (environment: Record<string, string>) =>
  runCommand(['start'], { environment: { TRAPLINE_DATA_DIR: dataDir, PORT: '0', ...environment } });

describe('Rule 8: in production the process refuses to start', () => {
  test.each(['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY', 'ALLOWED_ORIGIN', 'AUTH_URL', 'SMTP_URL'])(
    'when %s is missing',
    async (name) => {
      const { code, stderr } = await start({ ...PRODUCTION, [name]: '' });
      expect(code).toBe(2);
      expect(stderr).toContain(`${name}: is missing`);
    },
  );

  test.each(['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY'])('when %s has 31 characters', async (name) => {
    const { code, stderr } = await start({ ...PRODUCTION, [name]: 'y'.repeat(31) });
    expect(code).toBe(2);
    expect(stderr).toContain(`${name}: at least 32 characters are expected`);
    expect(stderr).not.toContain('yyy');
  });

  test('when ALLOWED_ORIGIN holds what is no origin', async () => {
    const { code, stderr } = await start({ ...PRODUCTION, ALLOWED_ORIGIN: 'https://a.example.org/path' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('ALLOWED_ORIGIN: origins are expected')]);
  });

  test('and tells everything that is missing at once', async () => {
    const { stderr } = await start({ NODE_ENV: 'production' });
    for (const name of ['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY', 'ALLOWED_ORIGIN', 'AUTH_URL', 'SMTP_URL'])
      expect(stderr).toContain(`${name}: is missing`);
  });
});

test.each([
  ['IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  ['CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'],
])('Rule 4: only one of %s and %s makes start-up fail', async (id, secret) => {
  for (const one of [id, secret]) {
    const { code, stderr } = await start({ IDP_ISSUER: 'https://idp.example.org', [one]: 'something' });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${id} and ${secret} belong together`)]);
  }
});

test('a SIEM file that is not writable makes start-up fail, before any engine starts', async () => {
  const { code, stderr } = await start({ SIEM_AUDIT_PATH: '/nonexistent/siem.ndjson', LOG_LEVEL: 'silent' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('SIEM_AUDIT_PATH: /nonexistent/siem.ndjson')]);
  expect(await readdir(dataDir)).not.toContain('clickhouse');
});
