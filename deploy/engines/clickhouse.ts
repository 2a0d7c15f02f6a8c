import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEngine } from './child-engine.ts';
import { PEER } from './clickhouse-config.ts';
import {
  makeRunDirectory,
  prepareDataDirectory,
  type RunDirectory,
  recordVersion,
  removeOtherRuns,
} from './clickhouse-directory.ts';
import { askEngine, type EngineAddress } from './clickhouse-request.ts';
import { type Engine, type EngineExit, type EngineLogger, EngineStartError } from './engine.ts';
import { type Account, engineAccount } from './engine-account.ts';
import { type EngineIsolation, networkNamespace } from './network-namespace.ts';

export interface ClickHouseEngine extends Engine, EngineAddress {
  /**
   * Never used for connections: requests go to `socketPath`. A client that ignores it fails, because the host does not
   * exist.
   */
  readonly url: string;
  /** True if it has no network interface. */
  readonly isolated: boolean;
  /** True if it can open only its own data. */
  readonly confined: boolean;
  /** Rejects if the engine does not respond to a query. Any response counts, including "too many queries". */
  check(signal: AbortSignal): Promise<void>;
}

export interface ClickHouseEngineOptions {
  /** Used only by the engine. Created if missing, with mode 0700. One process at a time. */
  readonly dataDir: string;
  /** Default: a new random one per start. */
  readonly password?: string;
  /** Memory limit of queries, inserts and merges together. Default 1,024. */
  readonly memoryMiB?: number;
  /** How long to wait for a previous engine that still locks the directory. Default 15,000. */
  readonly takeoverMs?: number;
  /** Whether the engine runs without network access. Default `auto`. */
  readonly isolation?: EngineIsolation;
  /** Additional privileges of our user, such as `TRUNCATE ON *.*`. */
  readonly morePrivileges?: readonly string[];
  /**
   * For measurements: a port of 127.0.0.1 instead of the socket. Every account of the machine can connect to it.
   * Requires isolation `off`.
   */
  readonly port?: number | undefined;
  readonly logger?: EngineLogger;
}

const USER = 'trapline';
/**
 * Account of the engine if we run as root. No service uses it: Debian reserves 65000 to 65533 and assigns them to no
 * package, and systemd lists 65520 to 65533 as unused. Containers with 16-bit user ids have it, too.
 */
const ACCOUNT: Account = { uid: 65_521, gid: 65_521 };
/** A merge of wide parts opens every column file of each part. */
const MIN_OPEN_FILES = 1024;
const STOP_TIMEOUT_MS = 8_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** Exit code of clickhouse-server.mjs if its standard error contains a message for the operator. */
const EXIT_EXPLAINED = 3;

/**
 * Starts the embedded ClickHouse: the engine of libchdb in a child process that never outlives this one. Its HTTP
 * listener is on a Unix socket that only this account can reach. It is clickhouse-local, not clickhouse-server: no
 * replication, no CREATE USER. Resolves when it responds to queries of our user; rejects with `EngineStartError`.
 */
export async function startClickHouseEngine(options: ClickHouseEngineOptions): Promise<ClickHouseEngine> {
  const { memoryMiB = 1024, takeoverMs = 15_000, isolation = 'auto', morePrivileges = [], port, logger } = options;
  const directory = resolve(options.dataDir);
  const password = options.password ?? randomBytes(24).toString('base64url');
  refuseFewOpenFiles();
  const account = engineAccount(ACCOUNT);
  const namespace = await networkNamespace(isolation);
  if (namespace.refusal !== undefined)
    logger?.warn(
      { reason: namespace.refusal },
      'cannot make a network namespace; the embedded ClickHouse keeps access to the network',
    );
  if (account === undefined && process.getuid?.() === 0)
    logger?.warn(
      { uid: ACCOUNT.uid },
      'cannot change the account; the embedded ClickHouse runs as root without capabilities',
    );
  const dataDir = await prepareDataDirectory(directory, account);
  const deadline = Date.now() + takeoverMs;
  for (;;) {
    const run = await makeRunDirectory(directory, { user: USER, password, memoryMiB, morePrivileges }, account);
    const engine = removedWith(
      spawnEngine(namespace.command, { runDir: run.path, dataDir, isolation, account, port }),
      run,
    );
    const address = { socketPath: run.socketPath, port, user: USER, password };
    try {
      await firstResponse(address, engine.exited);
      await removeOtherRuns(directory, run.path);
      await recordVersion(directory);
      const isolated = namespace.command.length > 0;
      const confined = await run.isConfined();
      if (!confined && isolation !== 'off')
        logger?.warn({}, 'this kernel has no Landlock; the embedded ClickHouse can read what its account can read');
      logger?.info(
        { enginePid: engine.pid, dataDir: directory, uid: account?.uid, isolated, confined },
        'local ClickHouse engine started',
      );
      const check = async (signal: AbortSignal) => void (await askEngine(address, 'SELECT 1', signal));
      return { ...engine, ...address, url: 'http://clickhouse.invalid', isolated, confined, check };
    } catch (error) {
      await engine.stop();
      // A previous engine that was killed needs a moment to close its tables.
      const passing = error instanceof EngineStartError && error.reason === 'directory_locked';
      if (!passing || Date.now() > deadline) throw error;
      await delay(250);
    }
  }
}

/** Throws if too few files can be opened. Node raises the soft limit to the hard limit, and the engine inherits it. */
function refuseFewOpenFiles(): void {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY); // Or "unlimited".
  if (limit < MIN_OPEN_FILES)
    throw new EngineStartError(
      'failed',
      `the limit of open files is ${limit}, and the embedded ClickHouse needs ${MIN_OPEN_FILES}: raise it with \`ulimit -n ${MIN_OPEN_FILES}\` or LimitNOFILE=`,
    );
}

interface Program {
  readonly runDir: string;
  readonly dataDir: string;
  readonly isolation: EngineIsolation;
  readonly account: Account | undefined;
  readonly port: number | undefined;
}

/** Throws `EngineStartError` if the library is not installed, as in the image of the platform. */
function libraryPath(): string {
  try {
    return createRequire(import.meta.url).resolve('@chdb/lib-linux-x64-gnu/libchdb.so');
  } catch {
    throw new EngineStartError(
      'failed',
      'the embedded ClickHouse is not installed (package @chdb/lib-linux-x64-gnu): set CLICKHOUSE_URL to a server',
    );
  }
}

function spawnEngine(namespace: readonly string[], program: Program): Engine {
  const library = libraryPath();
  const script = fileURLToPath(new URL('./clickhouse-server.mjs', import.meta.url));
  const node = [process.execPath, '--no-warnings', script, JSON.stringify({ library, peer: PEER, ...program })];
  const [file = '', ...args] = [...namespace, ...node];
  const child = spawn(
    file,
    args,
    // A separate process group: Ctrl-C in the terminal must reach the engine only through us, after the last insert.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true, cwd: '/', env: {} },
  );
  return childEngine(child, { stopMs: STOP_TIMEOUT_MS, kill: () => child.kill('SIGKILL') });
}

/** Adds to the exit of an engine the removal of the files of its start. */
function removedWith(engine: Engine, run: RunDirectory): Engine {
  const exited = engine.exited.then(async (exit) => {
    await run.remove().catch(() => {}); // The next start removes it.
    return exit;
  });
  const stop = async () => {
    await engine.stop();
    await exited;
  };
  return { ...engine, exited, stop };
}

async function firstResponse(address: EngineAddress, exited: Promise<EngineExit>): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  let gone: EngineExit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  while (Date.now() < deadline) {
    const response = await askEngine(address, 'SELECT 1', AbortSignal.timeout(2_000)).catch(() => undefined);
    if (gone) throw startError(gone);
    if (response?.status === 200 && response.body === '1\n') return;
    await delay(20);
  }
  throw new EngineStartError(
    'no_answer',
    `the embedded ClickHouse does not respond on ${address.socketPath} within ${ANSWER_TIMEOUT_MS / 1000} s`,
  );
}

function startError({ code, signal, stderr }: EngineExit): EngineStartError {
  if (stderr.includes('Cannot lock file')) {
    return new EngineStartError(
      'directory_locked',
      'another process uses this ClickHouse data directory: stop it, or choose another TRAPLINE_DATA_DIR',
    );
  }
  if (code === EXIT_EXPLAINED) return new EngineStartError('failed', stderr);
  return new EngineStartError(
    'failed',
    `the embedded ClickHouse ended at start (code ${code}, signal ${signal}): ${withoutStack(stderr)}`,
  );
}

/** Returns ClickHouse's error message without its stack trace. */
function withoutStack(stderr: string): string {
  return stderr
    .replace(/,? Stack trace[\s\S]*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
