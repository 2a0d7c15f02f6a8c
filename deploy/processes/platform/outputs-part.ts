import { detectionsAsParquet } from '#analytics/clickhouse/detections-parquet.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createOutputs, type Outputs } from '#api/outputs/outputs.ts';
import { createPublishEvents } from '#api/outputs/publish-events.ts';
import type { EncodeParquet, OutputReach } from '#api/outputs/reach.ts';
import { startOutputs } from '#api/outputs/start-outputs.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { kafkaConnection } from '../kafka-connection.ts';
import type { Foundation } from './foundation.ts';
import type { OutboundPart } from './outbound-part.ts';
import { outputMail } from './output-mail.ts';

/** Returns administration and tests of outputs, for processes that serve the API. */
export async function outputAdministration(foundation: Foundation, outbound: OutboundPart): Promise<Outputs> {
  const { database, audit, secrets } = foundation;
  return createOutputs({ database, audit, seal: createSeal(secrets.auth), reach: await reachOf(foundation, outbound) });
}

/** Sends detections to receivers until the process ends. */
export async function startOutputDelivery(foundation: Foundation, outbound: OutboundPart): Promise<void> {
  const { lifecycle, clickhouse, database, log, registry, tracing, secrets } = foundation;
  const reach = await reachOf(foundation, outbound);
  await lifecycle.start('outputs', () => {
    const value = startOutputs({
      clickhouse,
      database,
      logger: log,
      registry,
      reach,
      seal: createSeal(secrets.auth),
      tracing,
    });
    return { value, stop: () => value.stop() };
  });
}

/** Returns how this process reaches receivers. */
export async function reachOf(
  { config, log, database, clickhouse }: Foundation,
  { fetch }: OutboundPart,
): Promise<OutputReach> {
  const publish = createPublishEvents({ database, logger: log });
  const folder = config.platform.outputFolder;
  const mail = outputMail(config.platform.mail);
  const parquet: EncodeParquet = (messages, signal) => detectionsAsParquet(clickhouse, messages, signal);
  const reach: OutputReach = { fetch, publish, mail, parquet, ...(folder === undefined ? {} : { files: { folder } }) };
  if (config.kafka === undefined) return reach;
  const connection = await kafkaConnection(config.kafka);
  const { createEventProducer } = await import('#ingest/kafka/producer.ts');
  const openProducer = () => createEventProducer({ log }, { connection });
  return { ...reach, kafka: { openProducer, isTooLarge } };
}
