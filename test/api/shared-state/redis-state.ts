import type { SharedState } from '#api/shared-state/port.ts';
import { createRedisSharedState, type RedisSharedStateOptions } from '#api/shared-state/redis.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { silentLogger } from './silent-logger.ts';

/** Shared state over a Redis that is there, for tests of what is made of it: no answer that a busy machine delays is taken for silence. */
export async function openRedisState(
  options: Pick<RedisSharedStateOptions, 'url'> & Partial<RedisSharedStateOptions>,
): Promise<SharedState> {
  const shared = await createRedisSharedState({ logger: silentLogger, commandMs: 20_000, ...options });
  await waitFor('Redis to be there', () => shared.state() === 'ok');
  return shared;
}
