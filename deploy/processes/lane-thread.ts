// Program of a lane thread; `lane-host.ts` starts it.
import { parentPort, workerData } from 'node:worker_threads';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createTopicPublisher } from '#ingest/pipeline/publish.ts';
import { runLaneThread } from '#ingest/threads/lane-thread.ts';
import { openLogExport, sourceOf } from '../tracing/open-otlp.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { LaneThreadData } from './lane-thread-data.ts';
import { createLogger } from './logging.ts';
import { createConfiguredPipeline } from './pipeline-parts.ts';
import { loadSchemaIds } from './schema-ids.ts';
import { topicNames } from './topic-names.ts';

const { config, threads, shared, settings } = workerData as LaneThreadData;
const clickhouse = connectClickHouse(config.clickhouse);
const store = createLandingStore({ clickhouse });
const logs = await openLogExport(config.otlpLogs, sourceOf('ingest', undefined));
const log = await createLogger(config, logs);
logs.logFailures(log);
const { tracing, close } = await openTracing({ config: config.tracing, role: 'ingest', log });
const schemaIds = await loadSchemaIds(config);

if (parentPort === null) throw new TypeError('this is a program for a thread');
runLaneThread(parentPort, {
  log,
  settings,
  flush: async () => {
    await Promise.all([close(), logs.close()]);
  },
  createPipeline: ({ producer, metrics, settings, lanes }) =>
    createConfiguredPipeline(config, {
      store,
      publisher: createTopicPublisher(producer, topicNames(config), isTooLarge),
      settings,
      schemaIds,
      metrics,
      log,
      tracing,
      lanes,
      threads,
      shared,
    }),
});
