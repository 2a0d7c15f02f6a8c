/** Names of the Kafka topics without the operator's prefix. */
export const TOPICS = { events: 'events.v1', detections: 'detections.v1', deadLetters: 'events.v1.dlq' } as const;

/** Topics of records that never were in Kafka: their (topic, partition, offset) identity is counted by this service. */
export const LOCAL_TOPICS = { http: 'local.http', demo: 'local.demo' } as const;

/** Header names on Kafka records. */
export const HEADERS = {
  /** On `detections.v1`: the detection's id; consumers de-duplicate by it and the revision. */
  detectionId: 'detection-id',
  detectionRevision: 'detection-revision',
  /** On `events.v1`, optional: an id chosen by the sender; a record whose id has landed already is dropped. */
  ingestId: 'ingest-id',
} as const;

/** Where a record came from: unique in the whole installation. */
export interface RecordIdentity {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}
