import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import corrected from '#ingest/kafka/corrected-client.json' with { type: 'json' };
import { applyPatches, PATCHES } from '../../../bin/patches/apply.mjs';

/**
 * Regression: only the set-up applied the corrections of kafkajs. After `npm ci` alone, `node deploy/cli/main.ts
 * ingest` used the published client, which can skip records. This test uses a checkout with the package exactly as npm
 * installs it.
 */

const root = path.resolve(import.meta.dirname, '../../..');
const checkout = mkdtempSync(path.join(tmpdir(), 'trapline-uncorrected-'));
const modules = path.join(checkout, 'node_modules');
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

beforeAll(() => {
  for (const name of ['package.json', 'schemas', 'analytics', 'ingest', 'api', 'deploy'])
    cpSync(path.join(root, name), path.join(checkout, name), { recursive: true });
  mkdirSync(modules);
  const names = readdirSync(path.join(root, 'node_modules')).filter((name) => name !== 'kafkajs' && name[0] !== '.');
  for (const name of names) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  cpSync(path.join(root, 'node_modules/kafkajs'), path.join(modules, 'kafkajs'), { recursive: true });
  for (const { name, sha256 } of PATCHES)
    for (const file of Object.keys(sha256)) publish(path.join(modules, name, file));
});

function publish(file: string): void {
  cpSync(`${file}.published`, file);
  rmSync(`${file}.published`);
}

/** Runs a command of the checkout. All stores are unreachable. */
function run(...args: string[]): Promise<{ code: number | null; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: path.join(checkout, 'compiled'), // shared: the commands load the same modules
    LOG_LEVEL: 'silent',
    PORT: '0',
    TRAPLINE_DATA_DIR: path.join(checkout, '.trapline'),
    KAFKA_BROKERS: '127.0.0.1:1',
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgres://trapline@127.0.0.1:1/trapline',
    AUTH_SECRET: 'a-secret-of-the-sessions-0123456789abcdef',
    JWT_SECRET: 'a-secret-of-the-codes-fedcba9876543210',
  };
  return new Promise((resolve) => {
    const main = path.join(checkout, 'deploy/cli/main.ts');
    const child = execFile(process.execPath, [main, ...args], { env }, (_error, _stdout, stderr) => {
      resolve({ code: child.exitCode, stderr });
    });
    child.stdin?.end('{}\n');
  });
}

const [FIRST = ''] = Object.keys(corrected.files);
const REFUSAL = `trapline: the Kafka client in ${path.join(modules, 'kafkajs')} lacks the corrections of Trapline (${FIRST} differs): run \`node bin/patches/apply.mjs\` in the directory of Trapline\n`;

test.each([['ingest'], ['worker'], ['api'], ['start'], ['detect', '--from', '-', '--to', 'kafka://events.v1']])(
  '%s does not start with the unpatched client',
  async (...args) => {
    expect(await run(...args)).toEqual({ code: 1, stderr: REFUSAL });
  },
);

test('doctor names the command that patches the client, and the command works', async () => {
  const before = await run('doctor');
  expect(before.code).toBe(1);
  await applyPatches({ modules });
  const { stderr } = await run('detect', '--from', '-', '--to', 'kafka://events.v1');
  expect(stderr).not.toContain('lacks the corrections');
});
