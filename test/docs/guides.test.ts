import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricsPage } from '#docs/generators/metrics.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { guideBlocks, isShown } from './guide-blocks.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['getting-started.md', ...(await readdir(`${ROOT}docs/guides`)).sort().map((name) => `guides/${name}`)];

let folder: string;
let server: TraplineProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trapline-guides-'));
  server = await startTrapline(['start'], { LOG_LEVEL: 'warn' });
  await server.logged('Ctrl-C');
  const { url } = JSON.parse(await readFile(path.join(server.dataDir, 'server.json'), 'utf8')) as { url: string };
  environment = {
    PATH: `${ROOT}bin:${process.env.PATH}`,
    HOME: folder,
    TRAPLINE_DATA_DIR: server.dataDir,
    TRAPLINE_URL: url,
    TRAPLINE_API_KEY: (await readFile(path.join(server.dataDir, 'operator.key'), 'utf8')).trim(),
  };
});
afterAll(async () => {
  await server?.endAll();
  await removeHome(folder);
});

describe.each(PAGES)('docs/%s', (page) => {
  test('each block runs against a real server and prints what the page shows', async () => {
    const { run, notRun } = guideBlocks(await readFile(`${ROOT}docs/${page}`, 'utf8'));
    for (const block of notRun) expect(block, 'a block that is not run states its reason').toMatch(/: .{10,}/);
    for (const { line, code, expected } of run) {
      const result = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', code], {
        cwd: folder,
        env: environment,
      }).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`the block at line ${line} failed:\n${code}\n${error.stdout}${error.stderr}`);
      });
      for (const text of expected)
        expect(isShown(result.stdout, text), `line ${line}: ${text}\n${result.stdout}`).toBe(true);
    }
  });
});

test('docs/reference/metrics.md is current', async () => {
  const response = await fetch(`${environment.TRAPLINE_URL}/metrics`, {
    headers: { 'x-api-key': environment.TRAPLINE_API_KEY ?? '' },
  });
  expect(response.status).toBe(200);
  await expect(metricsPage(await response.text())).toMatchFileSnapshot('../../docs/reference/metrics.md');
});
