import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { freePort } from './free-ports.mjs';
import type { Restartable } from './restartable.ts';
import { signalTree } from './signal-tree.ts';
import { supervise } from './supervised-process.ts';

export interface ClickHouseService {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** The engine `trapline start` owns, as a process of the tests: it ends with this one. The address outlives a restart. */
export async function startClickHouse(
  options: { dataDir?: string; port?: number; memoryMiB?: number } = {},
): Promise<ClickHouseService & Restartable> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trapline-clickhouse-')));
  const port = options.port ?? (await freePort());
  const password = 'clickhouse-of-the-tests';
  // The engine knows nothing of temporary folders, so this process is there only to remove it when the run is killed.
  const remover =
    options.dataDir === undefined
      ? supervise({ command: 'sleep', args: ['infinity'], logFile: '/dev/null', removeAtEnd: dataDir })
      : undefined;
  const launch = () =>
    startClickHouseEngine({
      dataDir,
      port,
      password,
      ...(options.memoryMiB === undefined ? {} : { memoryMiB: options.memoryMiB }),
    });
  let engine = await launch();
  const kill9 = async (): Promise<void> => {
    process.kill(engine.pid, 'SIGKILL');
    await engine.exited;
  };
  return {
    url: engine.url,
    user: engine.user,
    password,
    kill9,
    freeze: () => signalTree(engine.pid, 'SIGSTOP'),
    thaw: () => signalTree(engine.pid, 'SIGCONT'),
    async restart() {
      await engine.stop();
      engine = await launch();
    },
    async stop() {
      await engine.stop();
      await remover?.endAll();
    },
  };
}
