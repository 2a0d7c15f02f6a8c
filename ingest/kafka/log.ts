import kafkajs, { type LogEntry } from 'kafkajs';

/** What this room says about itself. Satisfied by a pino logger. */
export interface KafkaLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * kafkajs's log lines, one level down: it calls "error" what it then repairs itself (a coordinator that is loading, a broker that
 * restarts), and what it cannot repair reaches the callers as an exception.
 */
export function createKafkaLogAdapter(log: KafkaLog): () => (entry: LogEntry) => void {
  return () =>
    ({ level, namespace, log: { message, timestamp: _, logger: __, stack: ___, ...fields } }) => {
      const said = { client: namespace, said: message, ...fields };
      if (level === kafkajs.logLevel.ERROR) log.warn(said, 'Kafka client: trouble');
      else log.debug(said, 'Kafka client');
    };
}
