import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { freePort } from './free-ports.mjs';
import type { Restartable } from './restartable.ts';
import { signalTree } from './signal-tree.ts';
import { supervise } from './supervised-process.ts';
import { startTcpRelay } from './tcp-relay.ts';

export interface ClickHouseService {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Privileges that only tests and benchmarks need. */
const PRIVILEGES = [
  'DROP DATABASE, TRUNCATE, OPTIMIZE, SYSTEM MERGES ON *.*',
  'READ, WRITE ON KAFKA',
  'TABLE ENGINE ON Kafka',
  'BACKUP, CHECK ON *.*',
  'READ, WRITE ON S3',
  'TABLE ENGINE ON Backup',
];

/**
 * Starts the engine of `trapline start` as a ClickHouse server with a URL. It ends with this process. The address stays
 * the same after a restart. `direct`: without the relay, which takes more processor time than the read of an insert.
 * Without the relay, a kill resets no connections.
 */
export async function startClickHouse(
  options: { dataDir?: string; port?: number; memoryMiB?: number; direct?: boolean } = {},
): Promise<ClickHouseService & Restartable> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trapline-clickhouse-')));
  const port = options.port ?? (await freePort());
  const password = 'clickhouse-of-the-tests';
  // The engine does not manage temporary folders. This process removes the folder when the run is killed.
  const remover =
    options.dataDir === undefined
      ? supervise({ command: 'sleep', args: ['infinity'], logFile: '/dev/null', removeAtEnd: dataDir })
      : undefined;
  const launch = async () => {
    const engine = await startClickHouseEngine({
      dataDir,
      password,
      isolation: 'off', // benchmarks compare with its Kafka table engine
      morePrivileges: PRIVILEGES,
      port: options.direct ? port : undefined,
      ...(options.memoryMiB === undefined ? {} : { memoryMiB: options.memoryMiB }),
    });
    return { engine, relay: options.direct ? undefined : await startTcpRelay(port, engine.socketPath) };
  };
  let { engine, relay } = await launch();
  const kill9 = async (): Promise<void> => {
    engine.kill();
    await Promise.all([engine.exited, relay?.close()]);
  };
  const stop = async (): Promise<void> => {
    await engine.stop();
    await relay?.close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    user: engine.user,
    password,
    kill9,
    freeze: () => signalTree(engine.pid, 'SIGSTOP'),
    thaw: () => signalTree(engine.pid, 'SIGCONT'),
    async restart() {
      await stop();
      ({ engine, relay } = await launch());
    },
    async stop() {
      await stop();
      await remover?.endAll();
    },
  };
}
