import type { KafkaLog } from '#ingest/kafka/log.ts';

const quiet = () => {};

/** The clients of a benchmark say nothing; what goes wrong rejects. */
export const QUIET_LOG: KafkaLog = { debug: quiet, info: quiet, warn: quiet, error: quiet };
