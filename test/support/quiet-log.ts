import type { KafkaLog } from '#ingest/kafka/log.ts';

const quiet = () => {};

/** Clients of tests and benchmarks say nothing; what goes wrong rejects. */
export const QUIET_LOG: KafkaLog = { debug: quiet, info: quiet, warn: quiet, error: quiet };
