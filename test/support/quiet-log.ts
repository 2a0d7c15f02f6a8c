import type { KafkaLog } from '#ingest/kafka/log.ts';

const quiet = () => {};

/** Kafka clients of tests and benchmarks log nothing: failures are reported as rejections. */
export const QUIET_LOG: KafkaLog = { debug: quiet, info: quiet, warn: quiet, error: quiet };
