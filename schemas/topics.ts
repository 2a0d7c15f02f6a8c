/** Names of the Kafka topics without the configured prefix. */
export const TOPICS = { events: 'events.v1', detections: 'detections.v1', deadLetters: 'events.v1.dlq' } as const;

/** Topics of records that were never in Kafka. This service assigns their (topic, partition, offset) identity. */
export const LOCAL_TOPICS = { http: 'local.http', demo: 'local.demo' } as const;

/** Names of Kafka record headers. */
export const HEADERS = {
  /** On `detections.v1`: id of the detection. Consumers deduplicate by this id and the revision. */
  detectionId: 'detection-id',
  detectionRevision: 'detection-revision',
  /** On `events.v1`, optional: an id set by the sender. A record is dropped if its id has landed already. */
  ingestId: 'ingest-id',
} as const;

/** Identity of a record, unique in the whole installation. */
export interface RecordIdentity {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}
