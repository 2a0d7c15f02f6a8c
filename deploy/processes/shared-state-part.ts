import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Config } from '../config.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Redis where it is set, else the memory of this process: then several processes of one database count limits separately. */
export function startSharedState(config: Config, lifecycle: Lifecycle, log: PipelineLog): Promise<SharedState> {
  const { redis, postgres } = config;
  if (redis === undefined && postgres.url !== undefined)
    log.warn({}, 'REDIS_URL is not set: sign-in limits, caches and the live feed are of this process alone');
  return lifecycle.start('shared state', async () => {
    const value = redis ? await createRedisSharedState({ url: redis.url, logger: log }) : createMemorySharedState();
    return { value, stop: () => value.close() };
  });
}
