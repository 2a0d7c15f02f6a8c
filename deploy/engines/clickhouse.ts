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
  /** Never connected to: requests go to `socketPath`. A client that forgets it finds no such host. */
  readonly url: string;
  /** It has no network interface. */
  readonly isolated: boolean;
  /** It can open its own data only. */
  readonly confined: boolean;
  /** Rejects when the engine does not respond to a query. Any response counts, also "too many queries". */
  check(signal: AbortSignal): Promise<void>;
}

export interface ClickHouseEngineOptions {
  /** Belongs to the engine alone; made when missing, mode 0700. One process at a time. */
  readonly dataDir: string;
  /** A new random one each start when not given. */
  readonly password?: string;
  /** Bound of queries, inserts and merges together. Default 1,024. */
  readonly memoryMiB?: number;
  /** How long to wait for a predecessor that still holds the directory. Default 15,000. */
  readonly takeoverMs?: number;
  /** Whether the engine runs without a network. Default `auto`. */
  readonly isolation?: EngineIsolation;
  /** Privileges of our user besides those that Trapline needs, such as `TRUNCATE ON *.*`. */
  readonly morePrivileges?: readonly string[];
  /** A port of 127.0.0.1, to which every account of the machine can connect, instead of the socket: for measurements. Needs isolation `off`. */
  readonly port?: number | undefined;
  readonly logger?: EngineLogger;
}

const USER = 'trapline';
/**
 * The account of the engine when we run as root. No service has it: Debian reserves 65000 to 65533 and gives them to no package, systemd lists 65520 to
 * 65533 as unused, and containers with 16 bits of user ids have it too.
 */
const ACCOUNT: Account = { uid: 65_521, gid: 65_521 };
/** A merge of wide parts opens every column file of each of them. */
const MIN_OPEN_FILES = 1024;
const STOP_TIMEOUT_MS = 8_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** Exit code of clickhouse-server.mjs when its standard error is a sentence for the operator. */
const EXIT_EXPLAINED = 3;

/**
 * Starts the embedded ClickHouse: the engine of libchdb in a child process that never outlives this one, with an HTTP listener on a Unix
 * socket that only this account can enter. It is the program clickhouse-local, not clickhouse-server: no replication, no CREATE USER.
 * Resolves when it responds to our user's queries; rejects with `EngineStartError`.
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
      // A predecessor that was killed needs a moment to close its tables.
      const passing = error instanceof EngineStartError && error.reason === 'directory_locked';
      if (!passing || Date.now() > deadline) throw error;
      await delay(250);
    }
  }
}

/** Node has raised the soft limit to the hard limit; the engine inherits it. */
function refuseFewOpenFiles(): void {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY); // or "unlimited"
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

/** Throws `EngineStartError` where the library is not installed, as in the image of the platform. */
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
    // A process group of its own: Ctrl-C in the terminal must reach it through us only, after the last insert.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true, cwd: '/', env: {} },
  );
  return childEngine(child, { stopMs: STOP_TIMEOUT_MS, kill: () => child.kill('SIGKILL') });
}

/** The engine, whose exit also removes the files of its start. */
function removedWith(engine: Engine, run: RunDirectory): Engine {
  const exited = engine.exited.then(async (exit) => {
    await run.remove().catch(() => {}); // the next start tries again
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

/** What ClickHouse reports as an error, without its stack trace. */
function withoutStack(stderr: string): string {
  return stderr
    .replace(/,? Stack trace[\s\S]*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
