import { readFile } from 'node:fs/promises';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState, SharedStateLogger } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Config } from '../config.ts';
import type { Lifecycle } from './lifecycle.ts';

/**
 * Uses Redis if it is configured, otherwise the memory of this process. In memory, several processes of one database
 * count limits separately.
 */
export function startSharedState(config: Config, lifecycle: Lifecycle, log: PipelineLog): Promise<SharedState> {
  const { redis, postgres } = config;
  if (redis === undefined && postgres.url !== undefined)
    log.warn({}, 'REDIS_URL is not set: sign-in limits, caches and the live feed are not shared with other processes');
  return lifecycle.start('shared state', async () => {
    const value = redis ? await openConfiguredRedis(redis, log) : createMemorySharedState();
    return { value, stop: () => value.close() };
  });
}

/** Opens the configured Redis. `commandMs`: timeout of a command; default 250 ms. */
export async function openConfiguredRedis(
  { caFile, ...servers }: NonNullable<Config['redis']>,
  logger: SharedStateLogger,
  commandMs?: number,
): Promise<SharedState> {
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8');
  return createRedisSharedState({
    servers: { ...servers, ca },
    logger,
    ...(commandMs === undefined ? {} : { commandMs }),
  });
}
