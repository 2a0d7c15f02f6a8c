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

/** More would wait for the one thread that has the consumer. */
const MAX_BY_ITSELF = 2;

/**
 * Size of a semi-space of a thread of lanes, MiB; it has two. What a record leaves behind is garbage within milliseconds: a large room for new objects is
 * memory, and saves little. V8 takes it from its flag when a thread starts: where the command line sets the flag, as for the thread that reads, the
 * `resourceLimits` of a worker have no effect.
 */
const SEMI_SPACE_OF_A_THREAD = 8;

/**
 * With several threads of lanes, a heap is collected when it has grown by so many percent since the last time, not when it has doubled: 50 MiB less with two
 * of them. Costs 0.2 µs of processor time an event, so that one thread does without. Holds for the thread that reads, too.
 */
const HEAP_GROWTH_PERCENT = 40;

/** Threads for the lanes besides the one with the consumer: none where they would only take turns with it on one core. */
export function laneThreadsOf(config: Pick<Config, 'pipeline' | 'clickhouse'>, cores = availableParallelism()): number {
  // The embedded engine is for a laptop or a site, and shares its cores.
  if (config.clickhouse.url === undefined) return 0;
  return config.pipeline.laneThreads ?? Math.min(MAX_BY_ITSELF, cores - 1);
}

/** The lanes of the partitions that the consumer gets: in threads of their own, or in this one. */
export async function startLaneHost(config: Config, deps: LaneHostDeps): Promise<Started<LaneHost>> {
  const { metrics, producer, endOf, failed, rules } = deps;
  const threads = laneThreadsOf(config);
  if (threads === 0) {
    // The steps and the rules take memory that a process whose lanes are elsewhere can do without.
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
