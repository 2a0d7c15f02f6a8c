import type { DetectorLog } from '#ingest/detector/log.ts';
import type { EventSink } from '#ingest/detector/sinks/event-sink.ts';
import { usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

export type SinkTarget =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'http'; readonly url: URL }
  /** Without the operator's prefix. */
  | { readonly kind: 'kafka'; readonly topic: string };

const EVENTS_PATH = '/api/events';

/** Reads `stdout`, `http(s)://HOST[/PATH]` or `kafka://TOPIC`. Throws a `CommandError` for anything else. */
export function sinkTarget(text: string): SinkTarget {
  if (text === 'stdout' || text === '-') return { kind: 'stdout' };
  const topic = /^kafka:\/\/([\w.-]{1,200})\/?$/.exec(text)?.[1];
  if (topic !== undefined) return { kind: 'kafka', topic };
  if (/^https?:\/\//.test(text) && URL.canParse(text)) {
    const url = new URL(text);
    if (url.pathname === '/') url.pathname = EVENTS_PATH;
    return { kind: 'http', url };
  }
  throw usageError('--to: stdout, http(s)://HOST or kafka://TOPIC is expected');
}

/** Only what the target needs is loaded: a detector that writes to stdout knows nothing of Kafka. */
export async function createDetectorSink(
  target: SinkTarget,
  context: CommandContext,
  log: DetectorLog,
  options: {
    readonly spoolDirectory: string | null;
    /** How long closing waits for the receiver. Undefined: the default of the kind of sink. */
    readonly closeTimeoutMs?: number;
  },
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

/** The operator key, when the target is the server of this machine's data directory; it is sent nowhere else. */
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
