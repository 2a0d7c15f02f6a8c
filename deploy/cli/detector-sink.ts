import type { DetectorLog } from '#ingest/detector/log.ts';
import type { EventSink } from '#ingest/detector/sinks/event-sink.ts';
import type { SinkOptions } from '../detector/detect.ts';
import type { SinkTarget } from '../detector/sink-target.ts';
import { usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

/**
 * Creates the sink of a detector. Loads only what the target needs: a detector that writes to stdout does not load
 * Kafka.
 */
export async function createDetectorSink(
  target: SinkTarget,
  context: CommandContext,
  log: DetectorLog,
  options: SinkOptions,
): Promise<EventSink> {
  if (target.kind === 'stdout') {
    const { createStdoutSink } = await import('#ingest/detector/sinks/stdout-sink.ts');
    return createStdoutSink(context.stdout);
  }
  const config = await context.config();
  if (target.kind === 'http') {
    const { createHttpSink } = await import('#ingest/detector/sinks/http-sink.ts');
    const apiKey = config.server.apiKey ?? (await localKey(target.url, config.dataDir));
    return createHttpSink({ url: target.url, apiKey, ...options }, { log });
  }
  if (config.kafka === undefined) throw usageError('--to kafka://… needs KAFKA_BROKERS');
  const { closeTimeoutMs } = options;
  const { kafkaConnection } = await import('../processes/kafka-connection.ts');
  const connection = await kafkaConnection(config.kafka);
  const { createEventProducer } = await import('#ingest/kafka/producer.ts');
  const { createKafkaSink } = await import('#ingest/detector/sinks/kafka-sink.ts');
  const producer = createEventProducer({ log: kafkaLog(log) }, { connection });
  return createKafkaSink(
    producer,
    config.topicPrefix + target.topic,
    closeTimeoutMs === undefined ? {} : { closeTimeoutMs },
  );
}

/**
 * Returns the operator key if the target is the server of this machine's data directory. It is sent to no other server.
 */
async function localKey(url: URL, dataDir: string): Promise<string | null> {
  const { findLocalServer } = await import('../local-server.ts');
  const local = await findLocalServer(dataDir);
  if (local === undefined || new URL(local.url).origin !== url.origin) return null;
  const { readOperatorKey } = await import('../operator-key.ts');
  return (await readOperatorKey(dataDir)) ?? null;
}

function kafkaLog(log: DetectorLog) {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    const simple = Object.entries(fields).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
    log(level, Object.fromEntries(simple), message);
  };
  return { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error') };
}
