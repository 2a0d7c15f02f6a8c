import kafkajs, { type LogEntry } from 'kafkajs';

/** Log of this folder. A pino logger satisfies it. */
export interface KafkaLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Forwards the log lines of kafkajs one level lower. kafkajs logs errors that it recovers from itself (a coordinator
 * that is loading, a broker that restarts). Errors that it cannot recover from reach the callers as exceptions.
 */
export function createKafkaLogAdapter(
  log: KafkaLog,
  isSilent: () => boolean = () => false,
): () => (entry: LogEntry) => void {
  return () =>
    ({ level, namespace, log: { message, timestamp: _, logger: __, stack: ___, ...fields } }) => {
      if (isSilent()) return;
      const entry = { client: namespace, text: message, ...fields };
      if (level === kafkajs.logLevel.ERROR) log.warn(entry, 'Kafka client warning');
      else log.debug(entry, 'Kafka client');
    };
}
