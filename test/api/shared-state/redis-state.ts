import type { SharedState } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import type { RedisServers } from '#api/shared-state/redis-servers.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { silentLogger } from './silent-logger.ts';

/** Shared state over a Redis that is there, for tests of what is made of it: no answer that a busy machine delays is taken for silence. */
export async function openRedisState({
  url,
  servers = { urls: [url ?? ''] },
  prefix = 'trapline:',
}: {
  /** Of one server, in the place of `servers`. */
  readonly url?: string;
  readonly servers?: RedisServers;
  readonly prefix?: string;
}): Promise<SharedState> {
  const shared = await createRedisSharedState({ logger: silentLogger, commandMs: 20_000, servers, prefix });
  await waitFor('Redis to be there', () => shared.state() === 'ok');
  return shared;
}
