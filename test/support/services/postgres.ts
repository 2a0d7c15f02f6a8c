import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresEngine } from '#deploy/engines/postgres.ts';
import type { Restartable } from './restartable.ts';
import { signalTree } from './signal-tree.ts';
import { supervise } from './supervised-process.ts';

export interface PostgresService {
  /**
   * `postgres://user:password@host:port/database`. The host may be the percent-encoded directory of a socket. The role
   * can create databases.
   */
  readonly url: string;
}

/**
 * Settings that do not wait for the disk: creating and dropping a database would each wait half a second. Writes
 * survive the kill of a server; only a power failure would lose them.
 */
export const WITHOUT_DISK = { fsync: 'off', full_page_writes: 'off' } as const;

/** Returns the listen address of the server of a URL: the path of its Unix socket, or its port. */
export function serverAddress(url: URL): string | number {
  const host = decodeURIComponent(url.hostname);
  return host.startsWith('/') ? join(host, `.s.PGSQL.${url.port}`) : Number(url.port);
}

/**
 * Starts the engine of `trapline start` as a server that ends with this process. The address stays the same after a
 * restart.
 */
export async function startPostgres(
  given: Readonly<Record<string, string>> = {},
): Promise<PostgresService & Restartable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-postgres-'));
  const administrator = { name: 'administrator', password: randomBytes(16).toString('hex') };
  const settings = { max_connections: '300', synchronous_commit: 'off', ...given };
  let engine = await startPostgresEngine({ dataDir, administrator, settings });
  const { socketDirectory } = engine;
  // The engine removes neither folder when the run is killed, so this process does.
  const remover = supervise({
    command: 'sleep',
    args: ['infinity'],
    logFile: '/dev/null',
    removeAtEnd: dataDir,
  });
  const url = new URL(engine.url);
  url.username = administrator.name;
  url.password = administrator.password;
  url.pathname = '/postgres';
  return {
    url: url.href,
    async kill9() {
      process.kill(-engine.pid, 'SIGKILL');
      await engine.exited;
    },
    // All of its processes: each connection has a separate process.
    freeze: () => signalTree(engine.pid, 'SIGSTOP'),
    thaw: () => signalTree(engine.pid, 'SIGCONT'),
    async restart() {
      await engine.stop();
      engine = await startPostgresEngine({ dataDir, administrator, socketDirectory, settings });
    },
    async stop() {
      await engine.stop();
      await remover.endAll();
    },
  };
}
