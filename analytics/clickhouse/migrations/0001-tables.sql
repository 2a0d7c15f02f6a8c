-- The first tables. The day counts of the TTL clauses are the defaults: `migrate` sets those of the configuration afterwards.
-- Statements end with a semicolon at the end of a line. {database} is replaced by the quoted name of the database.

-- Accepted events, each once.
--
-- landing_day: see `landing-day.ts`. ReplacingMergeTree is the last resort against a process that writes after the token of its
-- block was forgotten: its rows repeat the sorting key.
--
-- timestamp_stretch, type_filter and register_filter serve lists: stretches of 8,192 events that cannot hold a match are left out.
-- Each index that a query walks costs processor time (11 ms for 100,000,000 events when times were indexed for every 1,024 events).
-- A set index costs 20 times as much as a Bloom filter, and a set that holds a null excludes nothing.
--
-- raw_filter finds words (runs of letters and digits, in lower case) in the text of an event. Merges build it, inserts do not:
-- splitting the words costs a third of an insert. It is a Bloom filter of about 6 bytes an event. An inverted index was as large as
-- the events, because most words are numbers that no other event has, and its merge needed 300 bytes of memory an event. One filter
-- covers 4,096 events: filters for 2,048 are a seventh larger and pass twice as many separate places; filters for 8,192 double the
-- time of a page of a hundred rare events.
--
-- detector_raw repeats the text of the rare events that detectors write about themselves. A page of them lies in a hundred places;
-- reading `raw` there would decompress 1,024 events for each.
--
-- The timestamp column has min-max statistics, so that a query for a time range skips whole merged parts (10,000,000 events in 50
-- parts: 6 ms of processor time instead of 17).
--
-- merge_selector_base: about 24 new parts of like size become one. A merge costs the server twice an insert (4.1 us an event against
-- 1.6). A day without inserts for an hour becomes one part. index_granularity 1,024: a list reads `raw` of rows that lie far apart and
-- decompresses eight times less for each than with the default. min_bytes_for_wide_part: only merged parts have a file for each
-- column; a hundred files for each insert cost a quarter of its time. min_compress_block_size 16 KiB: a list takes one value of a
-- block, so blocks hold 2,048 values instead of 8,192.
CREATE TABLE IF NOT EXISTS {database}.events
(
  landing_day Date COMMENT 'Partition key: UTC day on which the block before this one was received' CODEC(ZSTD(1)),
  topic LowCardinality(String) COMMENT 'Where the record came from; local.* never was in Kafka',
  partition UInt64 CODEC(Delta, ZSTD(1)),
  offset UInt64 CODEC(Delta, ZSTD(1)) SETTINGS (min_compress_block_size = 16384),
  received DateTime64(3, 'UTC') COMMENT 'When this service took the event in' CODEC(Delta, ZSTD(1)) SETTINGS (min_compress_block_size = 16384),
  timestamp DateTime64(9, 'UTC') COMMENT 'When the event occurred, by the detector; digits after the ninth stand in raw only' CODEC(Delta, ZSTD(1)),
  hostname LowCardinality(Nullable(String)),
  type LowCardinality(String),
  procname LowCardinality(Nullable(String)) COMMENT 'Of a fatal signal: Comm of its dump',
  pid Nullable(UInt64) CODEC(ZSTD(1)),
  ip Nullable(UInt64) COMMENT 'Instruction pointer; of a fatal signal: RIP of its dump' CODEC(ZSTD(1)),
  sp Nullable(UInt64) COMMENT 'Stack pointer; of a fatal signal: RSP of its dump' CODEC(ZSTD(1)),
  file LowCardinality(Nullable(String)),
  vmastart Nullable(UInt64) CODEC(ZSTD(1)),
  vmasize Nullable(UInt64) CODEC(ZSTD(1)),
  trap LowCardinality(Nullable(String)) COMMENT 'Segfault, InvalidOpcode, GeneralProtectionFault, or the description of a generic one',
  location Nullable(UInt64) COMMENT 'Address a segfault touched' CODEC(ZSTD(1)),
  signal LowCardinality(Nullable(String)),
  function_name LowCardinality(Nullable(String)),
  count Nullable(UInt64) CODEC(ZSTD(1)),
  level LowCardinality(Nullable(String)),
  facility LowCardinality(Nullable(String)),
  register LowCardinality(Nullable(String)) COMMENT 'Of a RegisterProbe',
  ingest_id String COMMENT 'Chosen by the sender; empty when none was' CODEC(ZSTD(1)),
  raw String COMMENT 'The JSON text of the event as it came' CODEC(ZSTD(1)),
  detector_raw String MATERIALIZED if(type IN ('RegisterProbe', 'ConfigMismatch'), raw, '')
    COMMENT 'The same as raw, of what the detector itself says; else empty' CODEC(ZSTD(1)),
  INDEX timestamp_stretch timestamp TYPE minmax GRANULARITY 8,
  INDEX type_filter type TYPE bloom_filter(0.01) GRANULARITY 8,
  INDEX register_filter register TYPE bloom_filter(0.01) GRANULARITY 8,
  INDEX received_range received TYPE minmax GRANULARITY 1,
  INDEX hostname_filter hostname TYPE bloom_filter(0.01) GRANULARITY 8,
  INDEX procname_filter procname TYPE bloom_filter(0.01) GRANULARITY 8,
  INDEX file_filter file TYPE bloom_filter(0.01) GRANULARITY 8,
  INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 8,
  INDEX raw_filter tokens(lower(raw), 'splitByNonAlpha') TYPE bloom_filter(0.0038) GRANULARITY 4
)
ENGINE = ReplacingMergeTree
PARTITION BY landing_day
ORDER BY (topic, partition, offset)
TTL toDateTime(toStartOfDay(received)) + INTERVAL 91 DAY
SETTINGS
  non_replicated_deduplication_window = 10000,
  merge_selector_base = 24,
  min_age_to_force_merge_seconds = 3600,
  min_age_to_force_merge_on_partition_only = 1,
  index_granularity = 1024,
  min_bytes_for_wide_part = 33554432;

ALTER TABLE {database}.events ADD STATISTICS IF NOT EXISTS timestamp TYPE minmax;

-- Fewer files for each insert: 14 instead of 29, of which 18 were indexes of a hundred bytes. ClickHouse before 26.6 does not know
-- the first of these settings. Error 115 is UNKNOWN_SETTING.
-- ignore error 115
ALTER TABLE {database}.events MODIFY SETTING packed_skip_index_max_bytes = 65536;

-- ignore error 115
ALTER TABLE {database}.events MODIFY SETTING write_marks_for_substreams_in_compact_parts = 0;

-- Refused records, each once. The view dead_letters adds the outcome of their latest redrive.
CREATE TABLE IF NOT EXISTS {database}.dead_letter_records
(
  landing_day Date COMMENT 'Partition key: UTC day on which the block before this one was received' CODEC(ZSTD(1)),
  topic LowCardinality(String),
  partition UInt64 CODEC(Delta, ZSTD(1)),
  offset UInt64 CODEC(Delta, ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  code LowCardinality(String) COMMENT 'Why it was refused: a code of the catalogue',
  path String COMMENT 'JSON path of the offending value; $ is the whole record' CODEC(ZSTD(1)),
  message String CODEC(ZSTD(1)),
  ingest_id String CODEC(ZSTD(1)),
  key Nullable(String) COMMENT 'Key of the Kafka record, bytes as they came' CODEC(ZSTD(1)),
  raw String COMMENT 'All bytes of the record as they came' CODEC(ZSTD(1)),
  INDEX received_range received TYPE minmax GRANULARITY 1,
  INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY landing_day
ORDER BY (topic, partition, offset)
TTL toDateTime(toStartOfDay(received)) + INTERVAL 91 DAY
SETTINGS non_replicated_deduplication_window = 10000;

-- ignore error 115
ALTER TABLE {database}.dead_letter_records MODIFY SETTING packed_skip_index_max_bytes = 65536;

-- ignore error 115
ALTER TABLE {database}.dead_letter_records MODIFY SETTING write_marks_for_substreams_in_compact_parts = 0;

-- Redrives of refused records; the latest counts.
CREATE TABLE IF NOT EXISTS {database}.dead_letter_redrives
(
  topic LowCardinality(String),
  partition UInt64,
  offset UInt64,
  received DateTime64(3, 'UTC') COMMENT 'When it was sent through again',
  outcome LowCardinality(String) COMMENT 'landed, or the code for which it was refused again'
)
ENGINE = ReplacingMergeTree(received)
ORDER BY (topic, partition, offset)
TTL toDateTime(toStartOfDay(received)) + INTERVAL 91 DAY;

-- Every revision of a detection. The highest revision counts, in whatever order they arrive. Not partitioned: revisions of one id must
-- meet to be collapsed.
--
-- object: the members of the detection object that do not change afterwards, as JSON; `event` is text in it. A list reads this one
-- column instead of twenty, each of which costs one more decompressed block a row. The settings keep these blocks small.
CREATE TABLE IF NOT EXISTS {database}.detection_records
(
  id String,
  revision UInt64,
  received DateTime64(3, 'UTC') COMMENT 'When this revision was written',
  rule Tuple(id String, version UInt64, name String),
  severity LowCardinality(String),
  hostname LowCardinality(Nullable(String)),
  procname LowCardinality(Nullable(String)),
  file LowCardinality(Nullable(String)),
  register LowCardinality(Nullable(String)),
  firstSeen DateTime64(9, 'UTC'),
  lastSeen DateTime64(9, 'UTC'),
  crashes UInt64,
  suppressedAtLeast UInt64,
  message String CODEC(ZSTD(1)),
  values Array(String) CODEC(ZSTD(1)),
  valuesTotal UInt64,
  attack Array(Tuple(tactic String, technique String, name String)),
  evidenceCount UInt64,
  exception Nullable(String) COMMENT 'Id of the exception that silences it',
  event Nullable(String) COMMENT 'JSON text of the V1 RegisterProbe event' CODEC(ZSTD(1)),
  object String MATERIALIZED concat(
    '{"id":', ifNull(toJSONString(id), 'null'),
    ',"revision":', toString(revision),
    ',"rule":', concat(
      '{"id":', ifNull(toJSONString(rule.id), 'null'),
      ',"version":', toString(rule.version),
      ',"name":', ifNull(toJSONString(rule.name), 'null'),
      '}'
    ),
    ',"severity":', ifNull(toJSONString(severity), 'null'),
    ',"hostname":', ifNull(toJSONString(hostname), 'null'),
    ',"procname":', ifNull(toJSONString(procname), 'null'),
    ',"file":', ifNull(toJSONString(file), 'null'),
    ',"register":', ifNull(toJSONString(register), 'null'),
    ',"firstSeen":', concat('"', replaceOne(substring(toString(firstSeen), 1, 29), ' ', 'T'), 'Z"'),
    ',"lastSeen":', concat('"', replaceOne(substring(toString(lastSeen), 1, 29), ' ', 'T'), 'Z"'),
    ',"crashes":', toString(crashes),
    ',"suppressedAtLeast":', toString(suppressedAtLeast),
    ',"message":', ifNull(toJSONString(message), 'null'),
    ',"values":', ifNull(toJSONString(values), 'null'),
    ',"valuesTotal":', toString(valuesTotal),
    ',"attack":', concat(
      '[',
      arrayStringConcat(
        arrayMap(
          one -> concat(
            '{"tactic":', ifNull(toJSONString(one.tactic), 'null'),
            ',"technique":', ifNull(toJSONString(one.technique), 'null'),
            ',"name":', ifNull(toJSONString(one.name), 'null'),
            '}'
          ),
          attack
        ),
        ','
      ),
      ']'
    ),
    ',"evidenceCount":', toString(evidenceCount),
    ',"event":', ifNull(toJSONString(event), 'null'),
    '}'
  ) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY id
TTL toDateTime(toStartOfDay(received)) + INTERVAL 731 DAY
SETTINGS index_granularity = 64, min_compress_block_size = 16384;

-- The place in lists of each revision, which detection_records forgets when it merges: without it, a reader who pages through the list
-- would miss a detection that moves to the front meanwhile. `landed` is the time of the server, so that the clocks of processes need
-- not agree. Kept for 7 days: the longest time that a walk through a list may take.
CREATE TABLE IF NOT EXISTS {database}.detection_places
(
  id String,
  revision UInt64,
  lastSeen DateTime64(9, 'UTC'),
  landed DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (id, revision)
TTL toDateTime(landed) + INTERVAL 7 DAY;

CREATE MATERIALIZED VIEW IF NOT EXISTS {database}.detection_records_to_places TO {database}.detection_places AS
SELECT id, revision, lastSeen, now64(3) AS landed FROM {database}.detection_records;

-- Triage decisions, kept for good: they are small, and a replayed detection finds its decision by its id.
CREATE TABLE IF NOT EXISTS {database}.detection_triage
(
  id String,
  changed DateTime64(3, 'UTC'),
  status LowCardinality(String),
  verdict LowCardinality(Nullable(String)),
  assignee Nullable(String),
  note Nullable(String)
)
ENGINE = ReplacingMergeTree(changed)
ORDER BY id;

-- The exception that silences a detection since exceptions changed, null for none. It overrides what older revisions say.
CREATE TABLE IF NOT EXISTS {database}.detection_silences
(
  id String,
  changed DateTime64(3, 'UTC'),
  exception Nullable(String)
)
ENGINE = ReplacingMergeTree(changed)
ORDER BY id;

-- State of the trackers of lanes. A partition for each snapshot makes dropping a superseded one free.
CREATE TABLE IF NOT EXISTS {database}.tracker_snapshots
(
  topic LowCardinality(String),
  partition UInt64,
  offset UInt64,
  snapshot String,
  chunk UInt64,
  chunks UInt64,
  received DateTime64(3, 'UTC'),
  data String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY (topic, partition, offset)
ORDER BY (topic, partition, offset, snapshot, chunk)
TTL toDateTime(toStartOfDay(received)) + INTERVAL 91 DAY;

-- One row for each API request. Sorted so that the requests of one caller in an hour lie together. The time comes from our own clock, so
-- it can be the partition key. The deduplication window recognises a batch that is sent again after a lost acknowledgement.
CREATE TABLE IF NOT EXISTS {database}.api_requests
(
  time DateTime64(3, 'UTC') COMMENT 'When the answer ended' CODEC(Delta, ZSTD(1)),
  request_id String CODEC(ZSTD(1)),
  method LowCardinality(String),
  route LowCardinality(String) COMMENT 'Pattern of the route; none when no route matched',
  path String COMMENT 'Without the query; long segments are *' CODEC(ZSTD(1)),
  status UInt64 CODEC(T64, ZSTD(1)),
  duration_us UInt64 COMMENT 'From the first byte of the request to the last of its answer, microseconds' CODEC(T64, ZSTD(1)),
  ip String CODEC(ZSTD(1)),
  user_agent String CODEC(ZSTD(1)),
  actor String COMMENT 'user:<id>, key:<keyId>, operator, anonymous' CODEC(ZSTD(1)),
  user_id String COMMENT 'Whose session or key it was; empty: nobody' CODEC(ZSTD(1)),
  key_id String COMMENT 'Empty: not by a key' CODEC(ZSTD(1)),
  bytes UInt64 COMMENT 'Sent, headers included' CODEC(T64, ZSTD(1)),
  scraper LowCardinality(Nullable(String)),
  cache LowCardinality(Nullable(String)) COMMENT 'Of a scraper: where its answer came from',
  process LowCardinality(String) COMMENT 'host:pid that answered',
  INDEX time_range time TYPE minmax GRANULARITY 1,
  INDEX request_id_filter request_id TYPE bloom_filter(0.001) GRANULARITY 4,
  INDEX ip_filter ip TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (toStartOfHour(time), user_id, time)
TTL toDateTime(toStartOfDay(time)) + INTERVAL 31 DAY
SETTINGS non_replicated_deduplication_window = 1000;

-- ignore error 115
ALTER TABLE {database}.api_requests MODIFY SETTING packed_skip_index_max_bytes = 65536;

-- ignore error 115
ALTER TABLE {database}.api_requests MODIFY SETTING write_marks_for_substreams_in_compact_parts = 0;

-- Each detection once: its latest revision, its triage, and the exception that silences it now. Every process applies changed exceptions
-- within 10 seconds; only a revision that is written later names the exception reliably itself.
CREATE OR REPLACE VIEW {database}.detections AS
SELECT
  r.id AS id, r.revision AS revision, r.rule AS rule, r.severity AS severity,
  r.hostname AS hostname, r.procname AS procname, r.file AS file, r.register AS register,
  r.firstSeen AS firstSeen, r.lastSeen AS lastSeen, r.crashes AS crashes, r.suppressedAtLeast AS suppressedAtLeast,
  r.message AS message, r.values AS values, r.valuesTotal AS valuesTotal, r.attack AS attack, r.evidenceCount AS evidenceCount,
  if(empty(t.status), 'new', t.status) AS status, t.verdict AS verdict, t.assignee AS assignee, t.note AS note,
  if(r.received < addSeconds(s.changed, 10), s.exception, r.exception) AS exception, r.event AS event, r.received AS received,
  r.object AS object
FROM {database}.detection_records AS r FINAL
LEFT JOIN (SELECT id, status, verdict, assignee, note FROM {database}.detection_triage FINAL) AS t ON t.id = r.id
LEFT JOIN (SELECT id, changed, exception FROM {database}.detection_silences FINAL) AS s ON s.id = r.id;

-- Each refused record once, with the outcome of its latest redrive. `redriven` is set when that redrive was accepted.
CREATE OR REPLACE VIEW {database}.dead_letters AS
SELECT
  d.topic AS topic, d.partition AS partition, d.offset AS offset, d.received AS received,
  d.code AS code, d.path AS path, d.message AS message, d.key AS key, d.ingest_id AS ingest_id, d.raw AS raw,
  if(r.outcome = 'landed', r.tried, NULL) AS redriven,
  nullIf(r.outcome, '') AS redrive_outcome
FROM {database}.dead_letter_records AS d
LEFT JOIN (
  SELECT topic, partition, offset, outcome, received AS tried FROM {database}.dead_letter_redrives FINAL
) AS r ON r.topic = d.topic AND r.partition = d.partition AND r.offset = d.offset;
