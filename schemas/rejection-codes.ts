/**
 * The closed catalogue of reasons to reject a record. A `permanent` rejection becomes a dead letter without retry. A
 * `retriable` one is retried first, because the record may be valid and the schema registry unavailable. An `unkept`
 * one is returned to the sender before the pipeline, and never becomes a dead letter. The codes are part of the
 * contract of dead letters, `validate`, HTTP responses and metrics.
 */
export const REJECTIONS = {
  empty_record: { kind: 'permanent', message: 'the record has no value' },
  record_too_large: { kind: 'permanent', message: 'the record is larger than the limit' },
  invalid_utf8: { kind: 'permanent', message: 'the record is not valid UTF-8' },
  malformed_json: { kind: 'permanent', message: 'the record is not JSON' },
  nested_too_deep: { kind: 'permanent', message: 'the JSON is nested deeper than the limit' },
  not_an_object: { kind: 'permanent', message: 'an event is a JSON object' },
  version_missing: { kind: 'permanent', message: 'the field version is missing' },
  version_not_a_string: { kind: 'permanent', message: 'the field version is not a string' },
  version_unknown: { kind: 'permanent', message: 'no schema is known for this version' },
  field_missing: { kind: 'permanent', message: 'a required field is missing' },
  wrong_type: { kind: 'permanent', message: 'the value has the wrong type' },
  not_in_enumeration: { kind: 'permanent', message: 'the value is not one of those allowed' },
  unknown_variant: { kind: 'permanent', message: 'the type is not one of the known variants' },
  not_an_integer: { kind: 'permanent', message: 'the number is not an integer' },
  negative_integer: { kind: 'permanent', message: 'an unsigned integer is at least 0' },
  integer_out_of_range: { kind: 'permanent', message: 'an unsigned 64-bit integer is at most 18446744073709551615' },
  invalid_timestamp: { kind: 'permanent', message: 'the timestamp is not an RFC 3339 date-time' },
  timestamp_out_of_range: { kind: 'permanent', message: 'the timestamp lies outside 1900-01-01 to 2262-04-11' },
  ambiguous_justification: { kind: 'permanent', message: 'a justification has exactly one of its three shapes' },
  frame_truncated: { kind: 'permanent', message: 'the schema registry frame is cut short' },
  schema_unknown: { kind: 'permanent', message: 'the schema registry does not know the schema id of the frame' },
  schema_not_ours: { kind: 'permanent', message: 'the schema of the frame is not an event schema' },
  other_host: { kind: 'unkept', message: 'the key belongs to another host' },
  registry_unavailable: { kind: 'retriable', message: 'the schema registry does not answer' },
} as const satisfies Record<string, { kind: 'permanent' | 'retriable' | 'unkept'; message: string }>;

export type RejectionReason = keyof typeof REJECTIONS;

/** A reason of a record that is stored as a dead letter. */
export type DeadLetterReason = {
  [Reason in RejectionReason]: (typeof REJECTIONS)[Reason]['kind'] extends 'unkept' ? never : Reason;
}[RejectionReason];

export const DEAD_LETTER_REASONS = (Object.keys(REJECTIONS) as RejectionReason[]).filter(
  (reason): reason is DeadLetterReason => REJECTIONS[reason].kind !== 'unkept',
);

/** Maximum number of rejections that a response about many records lists. Further ones are only counted. */
export const MAX_LISTED_REJECTIONS = 1_000;
