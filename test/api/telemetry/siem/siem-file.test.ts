import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSiemFile, SiemFileNotWritable } from '#api/telemetry/siem/siem-file.ts';
import { waitFor } from '#test/support/wait-for.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'trapline-siem-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function open(file: string, config: { rotationCheckMs?: number; maxWaitingBytes?: number } = {}) {
  const failures: string[] = [];
  const siem = await openSiemFile({ onFailure: (error) => failures.push(error.message) }, { path: file, ...config });
  onTestFinished(() => siem.close());
  return { siem, failures };
}

const linesOf = async (file: string) => (await readFile(file, 'utf8')).split('\n').slice(0, -1);

describe('two processes that append 10,000 lines each', () => {
  const script = fileURLToPath(new URL('append-lines.ts', import.meta.url));
  const run = async (file: string, name: string, rotations = 0) => {
    const args = [script, file, name, '10000', String(rotations)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  };

  function expectAll(lines: readonly string[]): void {
    const records = lines.map((line) => JSON.parse(line) as { name: string; i: number; pad: string });
    for (const name of ['a', 'b']) {
      const mine = records.filter((record) => record.name === name);
      expect(mine).toHaveLength(10_000);
      expect(new Set(mine.map(({ i }) => i)).size).toBe(10_000);
      expect(mine.every(({ i, pad }) => pad === name.repeat((i * 37) % 6_000))).toBe(true);
    }
  }

  test('keep every line complete', async () => {
    const file = path.join(await folder(), 'siem.ndjson');
    await Promise.all([run(file, 'a'), run(file, 'b')]);
    expectAll(await linesOf(file));
  });

  test('lose no line while the file is rotated', async () => {
    const home = await folder();
    const file = path.join(home, 'siem.ndjson');
    let done = false;
    const writing = Promise.all([run(file, 'a', 3), run(file, 'b', 3)]).finally(() => {
      done = true;
    });
    let rotations = 0;
    while (!done) {
      const grown = await waitFor('the file to grow again', async () => done || (await stat(file)).size > 2_000_000);
      if (grown && !done) await rename(file, `${file}.${++rotations}`);
    }
    await writing;
    expect(rotations).toBeGreaterThanOrEqual(3);
    const files = await readdir(home);
    expectAll((await Promise.all(files.map((name) => linesOf(path.join(home, name))))).flat());
  });
});

test('appends from the beginning of a truncated file', async () => {
  const file = path.join(await folder(), 'siem.ndjson');
  const { siem } = await open(file);
  siem.append('{"n":1}');
  await waitFor('the first line', async () => (await linesOf(file)).length === 1);
  await truncate(file);
  siem.append('{"n":2}');
  await waitFor('the second line', async () => (await readFile(file, 'utf8')) === '{"n":2}\n');
});

test('a full disk affects no caller: every line is reported as lost', async () => {
  const { siem, failures } = await open('/dev/full');
  for (let i = 0; i < 100; i++) siem.append('{"n":1}');
  await siem.close();
  expect(failures).toHaveLength(100);
  expect(failures[0]).toContain('ENOSPC');
});

test('writes again after a folder was removed and restored', async () => {
  const home = await folder();
  const file = path.join(home, 'logs', 'siem.ndjson');
  await expect(openSiemFile({ onFailure() {} }, { path: file })).rejects.toThrow(SiemFileNotWritable);
  const direct = path.join(home, 'siem.ndjson');
  const { siem, failures } = await open(direct, { rotationCheckMs: 0 });
  await rename(home, `${home}.away`);
  siem.append('{"n":1}');
  await waitFor('the failure', () => failures.length === 1);
  await rename(`${home}.away`, home);
  siem.append('{"n":2}');
  await waitFor('the line', async () => (await linesOf(direct)).includes('{"n":2}'));
  expect(failures).toHaveLength(1);
});

test('drops and reports lines beyond the queue limit', async () => {
  const file = path.join(await folder(), 'siem.ndjson');
  const { siem, failures } = await open(file, { maxWaitingBytes: 80 });
  for (let i = 0; i < 20; i++) siem.append('{"n":"1"}');
  expect(failures).toHaveLength(12);
  await siem.close();
  expect(await linesOf(file)).toHaveLength(8);
  siem.append('{"n":1}');
  expect(failures).toHaveLength(13);
});

test.each([
  ['a folder that is not there', '/nonexistent/siem.ndjson', 'ENOENT'],
  ['a folder', tmpdir(), 'EISDIR'],
])('rejects a file that cannot be appended to at start: %s', async (_, file, code) => {
  await expect(openSiemFile({ onFailure() {} }, { path: file })).rejects.toThrow(
    new SiemFileNotWritable(`cannot append to ${file} (${code})`),
  );
});
