import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'trapline-refused-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const secret = () => randomBytes(32).toString('base64');
const PRODUCTION = {
  NODE_ENV: 'production',
  AUTH_SECRET: secret(),
  JWT_SECRET: secret(),
  ADMIN_KEY: secret(),
  ALLOWED_ORIGIN: 'https://trapline.example.org',
  AUTH_URL: 'https://trapline.example.org',
  SMTP_URL: 'smtp://127.0.0.1:1',
};
const start = (environment: Record<string, string>) =>
  runCommand(['start'], { environment: { TRAPLINE_DATA_DIR: dataDir, PORT: '0', ...environment } });

describe('Rule 8: in production the process does not start', () => {
  test.each(['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY', 'ALLOWED_ORIGIN', 'AUTH_URL', 'SMTP_URL'])(
    'without %s',
    async (name) => {
      const { code, stderr } = await start({ ...PRODUCTION, [name]: '' });
      expect(code).toBe(2);
      expect(stderr).toContain(`${name}: is missing`);
    },
  );

  test.each(['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY'])('if %s has 31 characters', async (name) => {
    const { code, stderr } = await start({ ...PRODUCTION, [name]: 'y'.repeat(31) });
    expect(code).toBe(2);
    expect(stderr).toContain(`${name}: must have at least 32 characters`);
    expect(stderr).not.toContain('yyy');
  });

  test('if ALLOWED_ORIGIN is not an origin', async () => {
    const { code, stderr } = await start({ ...PRODUCTION, ALLOWED_ORIGIN: 'https://a.example.org/path' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('ALLOWED_ORIGIN: must be origins')]);
  });

  test.each(['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY'])('if %s can be guessed', async (name) => {
    const guessable = 'w'.repeat(40);
    const { code, stderr } = await start({ ...PRODUCTION, [name]: guessable });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}: repeats one character; generate one with`)]);
    expect(stderr).not.toContain('www');
  });

  test('if an older secret after the first can be guessed', async () => {
    const { code, stderr } = await start({ ...PRODUCTION, JWT_SECRET: `${secret()},${'w'.repeat(40)}` });
    expect([code, stderr]).toEqual([2, expect.stringContaining('JWT_SECRET: value 2 repeats one character')]);
  });

  test('if secrets are equal, including older ones and those of other systems', async () => {
    const one = secret();
    const two = secret();
    const three = await start({ ...PRODUCTION, AUTH_SECRET: one, JWT_SECRET: one, ADMIN_KEY: one });
    expect([three.code, three.stderr]).toEqual([
      2,
      expect.stringContaining('AUTH_SECRET: must differ from JWT_SECRET, ADMIN_KEY'),
    ]);
    expect(three.stderr).toContain('JWT_SECRET: must differ from ADMIN_KEY');
    expect(three.stderr).not.toContain(one);
    const older = await start({ ...PRODUCTION, AUTH_SECRET: `${one},${two}`, JWT_SECRET: two });
    expect([older.code, older.stderr]).toEqual([
      2,
      expect.stringContaining('AUTH_SECRET: must differ from JWT_SECRET;'),
    ]);
    const shared = await start({ ...PRODUCTION, ADMIN_KEY: one, CLICKHOUSE_PASSWORD: one });
    expect([shared.code, shared.stderr]).toEqual([
      2,
      expect.stringContaining('ADMIN_KEY: must differ from CLICKHOUSE_PASSWORD;'),
    ]);
  });

  test('and reports every problem at once: invalid, missing, guessable and equal values', async () => {
    const one = secret();
    const { code, stderr } = await start({
      NODE_ENV: 'production',
      PORT: 'x',
      TRAPLINE_GRUOP_ID: 'g',
      AUTH_SECRET: one,
      JWT_SECRET: one,
      ADMIN_KEY: 'too short',
      SMTP_URL: 'http://mail.example.org',
    });
    expect(code).toBe(2);
    for (const problem of [
      'PORT: must be a whole number',
      'TRAPLINE_GRUOP_ID: there is no such setting',
      'ADMIN_KEY: must have at least 32 characters',
      'SMTP_URL: must be a URL',
      'AUTH_SECRET: must differ from JWT_SECRET',
      'AUTH_URL: is missing',
      'ALLOWED_ORIGIN: is missing',
    ])
      expect(stderr).toContain(problem);
    // A setting that is set but invalid is reported once, and not also as missing.
    for (const name of ['ADMIN_KEY', 'SMTP_URL']) expect(stderr).not.toContain(`${name}: is missing`);
  });

  test('and requires account settings only of commands that serve accounts', async () => {
    const { code } = await runCommand(['config'], { environment: { NODE_ENV: 'production' } });
    expect(code).toBe(0);
  });

  test('and lists all missing settings at once', async () => {
    const { stderr } = await start({ NODE_ENV: 'production' });
    for (const name of ['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY', 'ALLOWED_ORIGIN', 'AUTH_URL', 'SMTP_URL'])
      expect(stderr).toContain(`${name}: is missing`);
  });
});

test.each([
  ['IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  ['CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'],
])('Rule 4: start-up fails with only one of %s and %s', async (id, secret) => {
  for (const one of [id, secret]) {
    const { code, stderr } = await start({ IDP_ISSUER: 'https://idp.example.org', [one]: 'something' });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${id}: must be set together with ${secret}`)]);
  }
});

test('start-up fails for a SIEM file that is not writable, before any engine starts', async () => {
  const { code, stderr } = await start({ SIEM_AUDIT_PATH: '/nonexistent/siem.ndjson', LOG_LEVEL: 'silent' });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('SIEM_AUDIT_PATH: cannot append to /nonexistent/siem.ndjson'),
  ]);
  expect(await readdir(dataDir)).not.toContain('clickhouse');
});
