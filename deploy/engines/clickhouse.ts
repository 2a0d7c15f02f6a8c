import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEngine } from './child-engine.ts';
import { engineConfig, engineUsers } from './clickhouse-config.ts';
import { type Engine, type EngineExit, type EngineLogger, EngineStartError } from './engine.ts';
import { freePort } from './free-port.ts';

export interface ClickHouseEngine extends Engine {
  readonly url: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface ClickHouseEngineOptions {
  /** Belongs to the engine alone; made when missing, mode 0700. One process at a time. */
  readonly dataDir: string;
  /** A free one when not given. */
  readonly port?: number;
  /** A new random one each start when not given. */
  readonly password?: string;
  /** Bound of queries, inserts and merges together. Default 1,024. */
  readonly memoryMiB?: number;
  /** How long to wait for a predecessor that is still leaving the directory or the port. Default 15,000. */
  readonly takeoverMs?: number;
  readonly logger?: EngineLogger;
}

const USER = 'trapline';
const RUN_PREFIX = 'run-';
const STOP_TIMEOUT_MS = 8_000;
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Starts the local ClickHouse: libchdb's engine with its own HTTP listener on 127.0.0.1, in a child process that never outlives
 * this one. It is the program clickhouse-local with a listener, not clickhouse-server: no replication, no CREATE USER.
 * Resolves when it answers our user's queries; rejects with `EngineStartError`.
 */
export async function startClickHouseEngine(options: ClickHouseEngineOptions): Promise<ClickHouseEngine> {
  const { memoryMiB = 1024, takeoverMs = 15_000, logger } = options;
  const dataDir = resolve(options.dataDir);
  const password = options.password ?? randomBytes(24).toString('base64url');
  await mkdir(join(dataDir, 'data'), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + takeoverMs;
  for (;;) {
    const port = options.port ?? (await freePort());
    const configFile = await writeConfiguration(dataDir, password, memoryMiB);
    const engine = spawnEngine(dataDir, configFile, port);
    void engine.exited.then(() => rm(dirname(configFile), { recursive: true, force: true })).catch(() => {});
    try {
      await firstAnswer(port, password, engine.exited);
      await removeLeftovers(dataDir, dirname(configFile));
      logger?.info({ enginePid: engine.pid, port, dataDir }, 'local ClickHouse engine started');
      return { ...engine, url: `http://127.0.0.1:${port}`, port, user: USER, password };
    } catch (error) {
      await engine.stop();
      // A predecessor that was killed needs a moment to close its tables; a free port may have been snatched.
      const passing =
        error instanceof EngineStartError && (error.reason === 'directory_locked' || error.reason === 'port_taken');
      if (!passing || Date.now() > deadline) throw error;
      await delay(250);
    }
  }
}

/**
 * Each start has files of its own: an engine watches its users file, so one that still holds the directory would take over the password of
 * the next, and be lost to its owner.
 */
async function writeConfiguration(dataDir: string, password: string, memoryMiB: number): Promise<string> {
  const folder = await mkdtemp(join(dataDir, RUN_PREFIX));
  const configFile = join(folder, 'config.xml');
  const config = { user: USER, password, usersFile: join(folder, 'users.xml'), memoryMiB };
  await writeFile(configFile, engineConfig(config), { mode: 0o600 });
  await writeFile(config.usersFile, engineUsers(config), { mode: 0o600 });
  return configFile;
}

/** Files of engines that were killed: nobody reads them any more, as the directory is ours. */
async function removeLeftovers(dataDir: string, current: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const folder = join(dataDir, name);
    if (name.startsWith(RUN_PREFIX) && folder !== current) await rm(folder, { recursive: true, force: true });
  }
}

function spawnEngine(dataDir: string, configFile: string, port: number): Engine {
  const library = createRequire(import.meta.url).resolve('@chdb/lib-linux-x64-gnu/libchdb.so');
  const program = fileURLToPath(new URL('./clickhouse-server.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--no-warnings', program, library, configFile, join(dataDir, 'data'), String(port)],
    // A process group of its own: Ctrl-C in the terminal must reach it through us only, after the last insert.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true, cwd: dataDir, env: {} },
  );
  return childEngine(child, { stopMs: STOP_TIMEOUT_MS, kill: () => child.kill('SIGKILL') });
}

/** Asks with our password, so that a stranger on the same port is not taken for the engine. */
async function firstAnswer(port: number, password: string, exited: Promise<EngineExit>): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  let gone: EngineExit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  const headers = { 'x-clickhouse-user': USER, 'x-clickhouse-key': password, connection: 'close' };
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/?query=SELECT%201`, {
      headers,
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (gone) throw startError(gone, port);
    if (answer?.ok && text === '1\n') return;
    await delay(20);
  }
  throw new EngineStartError('no_answer', `the local ClickHouse engine does not answer on 127.0.0.1:${port}`);
}

function startError(exit: EngineExit, port: number): EngineStartError {
  if (exit.stderr.includes('Cannot lock file')) {
    return new EngineStartError(
      'directory_locked',
      'another process uses this ClickHouse data directory: stop it, or choose another TRAPLINE_DATA_DIR',
    );
  }
  if (exit.stderr.includes('Address already in use')) {
    return new EngineStartError('port_taken', `port ${port} of 127.0.0.1 is taken by another program`);
  }
  return new EngineStartError(
    'failed',
    `the local ClickHouse engine ended at once (code ${exit.code}, signal ${exit.signal}): ${exit.stderr}`,
  );
}
