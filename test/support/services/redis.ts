import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../install-programs.mjs';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-ports.mjs';
import { listens } from './listens.mjs';
import { type Restartable, restartable } from './restartable.ts';
import { supervise } from './supervised-process.ts';

export interface RedisService {
  /** `redis://host:port` */
  readonly url: string;
}

/** Starts Redis as a local process that ends with this one. Data is in memory only: a restart loses it. */
export async function startRedis(options: { port?: number } = {}): Promise<RedisService & Restartable> {
  const port = options.port ?? (await freePort());
  const home = await mkdtemp(join(tmpdir(), 'trapline-redis-'));
  const command = await serverProgram(home);
  const launch = async () => {
    const process = supervise({
      command,
      args: ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'],
      cwd: home,
      logFile: join(home, 'redis.log'),
      removeAtEnd: home,
    });
    await waitFor('Redis to listen', async () => !process.running || (await listens(port)), { everyMs: 20 });
    if (!process.running) throw new Error(`Redis ended:\n${process.output()}`);
    return process;
  };
  return { url: `redis://127.0.0.1:${port}`, ...(await restartable(launch, home)) };
}

/**
 * Returns a Redis server program. Debian's package redis-server would start a system service that outlives the test
 * run. redis-tools contains the same program under another name, and the program behaves according to the name by which
 * it is called.
 */
export async function serverProgram(
  folder: string,
  name: 'redis-server' | 'redis-sentinel' = 'redis-server',
): Promise<string> {
  const server = findProgram(name);
  if (server !== undefined) return server;
  const tool = findProgram('redis-check-rdb');
  if (tool === undefined) throw new Error('Redis is not installed: run `node test/support/install-services.mjs`');
  const link = join(folder, name);
  await symlink(tool, link);
  return link;
}
