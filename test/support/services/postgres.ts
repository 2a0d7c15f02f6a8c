import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresEngine } from '#deploy/engines/postgres.ts';
import type { Restartable } from './restartable.ts';
import { signalTree } from './signal-tree.ts';
import { supervise } from './supervised-process.ts';

export interface PostgresService {
  /** `postgres://user:password@host:port/database`, where the host may be the percent-encoded directory of a socket; the role may create databases. */
  readonly url: string;
}

/**
 * Nothing is waited for until it is on the disk: making and dropping a database each take half a second of that. What a killed server has
 * written is there all the same; only a machine that loses its power would lose it.
 */
export const WITHOUT_DISK = { fsync: 'off', full_page_writes: 'off' } as const;

/** Where the server of a URL listens: the path of its Unix socket, or its port. */
export function serverAddress(url: URL): string | number {
  const host = decodeURIComponent(url.hostname);
  return host.startsWith('/') ? join(host, `.s.PGSQL.${url.port}`) : Number(url.port);
}

/** The engine `trapline start` owns, as a process of the tests: it ends with this one. The address outlives a restart. */
export async function startPostgres(
  given: Readonly<Record<string, string>> = {},
): Promise<PostgresService & Restartable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-postgres-'));
  const administrator = { name: 'administrator', password: randomBytes(16).toString('hex') };
  const settings = { max_connections: '300', synchronous_commit: 'off', ...given };
  let engine = await startPostgresEngine({ dataDir, administrator, settings });
  const { socketDirectory } = engine;
  // The engine removes neither folder when the run is killed; this process is there to do it.
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
    // All of its processes: each connection is served by one of its own.
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
