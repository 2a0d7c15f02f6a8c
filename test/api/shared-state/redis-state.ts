import type { SharedState } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import type { RedisServers } from '#api/shared-state/redis-servers.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { silentLogger } from './silent-logger.ts';

/** Shared state on a Redis that is always available: a slow response on a busy machine does not count as an outage. */
export async function openRedisState({
  url,
  servers = { urls: [url ?? ''] },
  prefix = 'trapline:',
}: {
  /** URL of one server, instead of `servers`. */
  readonly url?: string;
  readonly servers?: RedisServers;
  readonly prefix?: string;
}): Promise<SharedState> {
  const shared = await createRedisSharedState({ logger: silentLogger, commandMs: 20_000, servers, prefix });
  await waitFor('Redis to be there', () => shared.state() === 'ok');
  return shared;
}
