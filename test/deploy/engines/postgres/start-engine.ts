import { spawn } from 'node:child_process';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { type PostgresEngine, type PostgresEngineOptions, startPostgresEngine } from '#deploy/engines/postgres.ts';
import { bundledFolder } from '#deploy/engines/postgres-programs.ts';

const ENGINE = new URL('../../../../deploy/engines/postgres.ts', import.meta.url).href;
const ROOT = new URL('../../../..', import.meta.url).pathname;
const SYSTEM = '/usr/lib/postgresql';

/** Creates a folder for the data directories of a test file, and removes it at the end. */
export async function temporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'trapline-postgres-engine-'));
  afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 20 }));
  return home;
}

/** Starts an engine, and stops it at the end of the test. */
export async function startEngine(options: PostgresEngineOptions): Promise<PostgresEngine> {
  const engine = await startPostgresEngine(options);
  onTestFinished(() => engine.stop());
  return engine;
}

/**
 * Returns both sources of the PostgreSQL programs: the Debian package, which the test set-up installs, and the npm
 * package.
 */
export async function programSources(): Promise<{ source: string; folder: string }[]> {
  const majors = (await readdir(SYSTEM)).map(Number).filter(Number.isInteger);
  const newest = join(SYSTEM, String(Math.max(...majors)), 'bin');
  await access(join(newest, 'initdb'));
  return [
    { source: 'system', folder: newest },
    { source: 'bundled', folder: bundledFolder() ?? 'the npm package is missing' },
  ];
}

/** Runs one query on a new connection. Resolves to the first column of the first row. */
export async function ask(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return Object.values((await client.query(text)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program until it exits. Resolves to its exit code and its output. */
export async function run(command: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(command, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: output.trim() };
}

/**
 * Starts and stops an engine in a process that runs under `launcher`, such as `unshare --net`. The process prints
 * `serves`, or the error.
 */
export function startUnder(launcher: readonly string[], options: PostgresEngineOptions): Promise<Ended> {
  const program = `
    process.chdir(${JSON.stringify(ROOT)});
    const { startPostgresEngine, isPostgresServing } = await import(${JSON.stringify(ENGINE)});
    try {
      const engine = await startPostgresEngine(${JSON.stringify(options)});
      console.log((await isPostgresServing(engine)) ? 'serves' : 'does not serve');
      await engine.stop();
    } catch (error) {
      console.log(error.name + ': ' + error.message);
    }`;
  const [command = '', ...args] = [...launcher, process.execPath, '--input-type=module', '-e', program];
  return run(command, args);
}
