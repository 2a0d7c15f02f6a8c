import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createKafkaLanes, type KafkaLanes } from '#ingest/pipeline/kafka-lanes.ts';
import { createTopicPublisher } from '#ingest/pipeline/publish.ts';
import type { Config } from '../config.ts';
import type { LaneHostDeps } from './lane-host-deps.ts';
import { createConfiguredPipeline } from './pipeline-parts.ts';
import { loadSchemaIds } from './schema-ids.ts';
import { topicNames } from './topic-names.ts';

/** Creates lanes in the thread of the consumer. */
export async function createLanesHere(config: Config, deps: LaneHostDeps): Promise<KafkaLanes> {
  const { metrics, log, tracing, endOf, failed } = deps;
  const pipeline = createConfiguredPipeline(config, {
    store: deps.store,
    publisher: createTopicPublisher(deps.producer, topicNames(config), isTooLarge),
    settings: deps.rules.current,
    schemaIds: await loadSchemaIds(config),
    metrics,
    log,
    tracing,
    lanes: () => lanes.lanes(),
  });
  const lanes = createKafkaLanes({ pipeline, metrics, log, endOf, failed });
  return lanes;
}
