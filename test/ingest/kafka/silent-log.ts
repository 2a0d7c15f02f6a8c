import type { KafkaLog } from '#ingest/kafka/log.ts';

export const silent: KafkaLog = { debug() {}, info() {}, warn() {}, error() {} };
