import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { LaneHost } from '#ingest/pipeline/kafka-lanes.ts';
import { createLaneThreads } from '#ingest/threads/lane-threads.ts';
import type { Config } from '../config.ts';
import type { LaneHostDeps } from './lane-host-deps.ts';
import type { LaneThreadData } from './lane-thread-data.ts';
import type { Started } from './lifecycle.ts';
import { createSharedByThreads } from './shared-by-threads.ts';

/** More threads would wait for the single consumer thread. */
const MAX_BY_ITSELF = 2;

/**
 * Semi-space size of a lane thread, in MiB; it has two semi-spaces. The garbage of a record is created within
 * milliseconds, so a larger new space costs memory and saves little. V8 reads the size from its flag when a thread
 * starts. If the command line sets the flag, as for the consumer thread, `resourceLimits` of a worker have no effect.
 */
const SEMI_SPACE_OF_A_THREAD = 8;

/**
 * With several lane threads, a heap is collected when it has grown by this percentage since the last collection,
 * instead of when it has doubled. This saves 50 MiB with two threads. It costs 0.2 µs of CPU time per event, so a
 * single thread does not use it. Also applies to the consumer thread.
 */
const HEAP_GROWTH_PERCENT = 40;

/**
 * Returns the number of lane threads besides the consumer thread. 0 on one core, where threads would only alternate.
 */
export function laneThreadsOf(config: Pick<Config, 'pipeline' | 'clickhouse'>, cores = availableParallelism()): number {
  // The embedded engine is for a laptop or a small site, and shares its cores.
  if (config.clickhouse.url === undefined) return 0;
  return config.pipeline.laneThreads ?? Math.min(MAX_BY_ITSELF, cores - 1);
}

/** Starts the lanes of the consumer's partitions, in threads or in this thread. */
export async function startLaneHost(config: Config, deps: LaneHostDeps): Promise<Started<LaneHost>> {
  const { metrics, producer, endOf, failed, rules } = deps;
  const threads = laneThreadsOf(config);
  if (threads === 0) {
    // Loaded on demand, because the steps and rules take memory that a process with lane threads does not need.
    const { createLanesHere } = await import('./lanes-here.ts');
    return { value: await createLanesHere(config, deps) };
  }
  const { clickhouse, pipeline, signalDialect, registry, topicPrefix, logLevel, logFormat, otlpLogs, tracing } = config;
  setFlagsFromString(`--max-semi-space-size=${SEMI_SPACE_OF_A_THREAD}`);
  if (threads > 1) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const shared = createSharedByThreads();
  const value = createLaneThreads({
    threads,
    spawn: (settings) =>
      new Worker(new URL('./lane-thread.ts', import.meta.url), {
        name: 'lanes',
        workerData: {
          config: {
            clickhouse,
            pipeline,
            signalDialect,
            registry,
            topicPrefix,
            logLevel,
            logFormat,
            otlpLogs,
            tracing,
          },
          threads,
          shared,
          settings,
        } satisfies LaneThreadData,
      }),
    settings: rules.current,
    producer,
    traced: deps.tracing.isOn,
    metrics,
    idleBytes: pipeline.queueBytes,
    endOf,
    failed,
  });
  return { value, stop: value.end };
}
