import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Config } from '../config.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Redis where it is set, else the memory of this process. */
export function startSharedState(config: Config, lifecycle: Lifecycle, log: PipelineLog): Promise<SharedState> {
  const { redis } = config;
  return lifecycle.start('shared state', async () => {
    const value = redis ? await createRedisSharedState({ url: redis.url, logger: log }) : createMemorySharedState();
    return { value, stop: () => value.close() };
  });
}
