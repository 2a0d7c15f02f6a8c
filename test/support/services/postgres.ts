import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresEngine } from '#deploy/engines/postgres.ts';
import type { Restartable } from './restartable.ts';
import { signalTree } from './signal-tree.ts';
import { supervise } from './supervised-process.ts';

export interface PostgresService {
  /** `postgres://user:password@host:port/database`; the role may create databases. */
  readonly url: string;
}

/**
 * Nothing is waited for until it is on the disk: making and dropping a database each take half a second of that. What a killed server has
 * written is there all the same; only a machine that loses its power would lose it.
 */
export const WITHOUT_DISK = { fsync: 'off', full_page_writes: 'off' } as const;

/** The engine `trapline start` owns, as a process of the tests: it ends with this one. The address outlives a restart. */
export async function startPostgres(
  given: Readonly<Record<string, string>> = {},
): Promise<PostgresService & Restartable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-postgres-'));
  // The engine knows nothing of temporary folders, so this process is there only to remove it when the run is killed.
  const remover = supervise({
    command: 'sleep',
    args: ['infinity'],
    logFile: '/dev/null',
    removeAtEnd: dataDir,
  });
  const settings = { max_connections: '300', synchronous_commit: 'off', ...given };
  // The engine takes another port when somebody was faster; restarts keep the one it got.
  let engine = await startPostgresEngine({ dataDir, settings });
  const { port } = engine;
  const superuser = new URL(engine.url);
  superuser.username = 'postgres';
  superuser.pathname = '/postgres';
  return {
    url: superuser.href,
    async kill9() {
      process.kill(-engine.pid, 'SIGKILL');
      await engine.exited;
    },
    // All of its processes: each connection is served by one of its own.
    freeze: () => signalTree(engine.pid, 'SIGSTOP'),
    thaw: () => signalTree(engine.pid, 'SIGCONT'),
    async restart() {
      await engine.stop();
      engine = await startPostgresEngine({ dataDir, port, settings });
    },
    async stop() {
      await engine.stop();
      await remover.endAll();
    },
  };
}
