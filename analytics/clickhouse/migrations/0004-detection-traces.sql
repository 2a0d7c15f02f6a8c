-- sha256 87cb4818e126311734998f83d3dbc0b05e947211bf9f4c4a6abb9143963f244e
-- Where readers of detections continue the trace of the event that made a detection begin or grow. Only revisions whose trace is recorded have a
-- row. Readers that come later than a week continue no trace.
CREATE TABLE IF NOT EXISTS {database}.detection_traces
(
  id String,
  revision UInt64,
  received DateTime64(3, 'UTC'),
  trace String COMMENT 'traceparent of the span that stored the revision, and tracestate after a space'
)
ENGINE = ReplacingMergeTree
ORDER BY (id, revision)
TTL toDateTime(toStartOfDay(received)) + INTERVAL 8 DAY;
