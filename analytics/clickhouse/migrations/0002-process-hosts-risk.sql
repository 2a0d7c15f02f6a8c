-- sha256 e06692b275d517b0ba3563add66a242679b5eab24e0b6b4884fd62995b433501
-- What detectors know of the process that crashed, as columns of events and detections: until now it stood in `raw` only. Rows that were
-- stored before have null. A column of names that are all null costs a byte an event before compression and next to nothing after it.
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS executable LowCardinality(Nullable(String)) COMMENT 'Path of the executable of the process' AFTER register;
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS build_id LowCardinality(Nullable(String)) COMMENT 'GNU build id of the executable' AFTER executable;
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS uid Nullable(UInt64) COMMENT 'Real user id of the process' CODEC(ZSTD(1)) AFTER build_id;
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS unit LowCardinality(Nullable(String)) COMMENT 'Unit of systemd of the process' AFTER uid;
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS container LowCardinality(Nullable(String)) COMMENT 'Id of the container of the process' AFTER unit;
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS pod LowCardinality(Nullable(String)) COMMENT 'Uid of the Kubernetes pod of the process' AFTER container;

-- Lists that look for one unit, container, pod or executable leave out stretches of 8,192 events without it.
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS executable_filter executable TYPE bloom_filter(0.01) GRANULARITY 8;
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS unit_filter unit TYPE bloom_filter(0.01) GRANULARITY 8;
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS container_filter container TYPE bloom_filter(0.01) GRANULARITY 8;
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS pod_filter pod TYPE bloom_filter(0.01) GRANULARITY 8;

-- Of a detection: the values on which its crashes agree.
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS executable LowCardinality(Nullable(String)) COMMENT 'Path of the executable of the process' AFTER register;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS buildId LowCardinality(Nullable(String)) COMMENT 'GNU build id of the executable' AFTER executable;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS uid Nullable(UInt64) COMMENT 'Real user id of the process' AFTER buildId;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS parent LowCardinality(Nullable(String)) COMMENT 'Executable of the parent process, or its name' AFTER uid;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS unit LowCardinality(Nullable(String)) COMMENT 'Unit of systemd of the process' AFTER parent;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS container LowCardinality(Nullable(String)) COMMENT 'Id of the container of the process' AFTER unit;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS pod LowCardinality(Nullable(String)) COMMENT 'Uid of the Kubernetes pod of the process' AFTER container;

-- Hosts of a campaign, and the highest risk score of an alert of signs: until now they stood in the message only.
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS hosts Array(String) CODEC(ZSTD(1)) AFTER event;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS hostsTotal UInt64 AFTER hosts;
ALTER TABLE {database}.detection_records ADD COLUMN IF NOT EXISTS riskScore Nullable(Float64) COMMENT 'Highest risk score of the host during the alert' AFTER hostsTotal;

-- The object of detections that land from now on. Readers fill in what older ones lack.
ALTER TABLE {database}.detection_records MODIFY COLUMN object String MATERIALIZED concat(
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
  ',"executable":', ifNull(toJSONString(executable), 'null'),
  ',"buildId":', ifNull(toJSONString(buildId), 'null'),
  ',"uid":', ifNull(toString(uid), 'null'),
  ',"parent":', ifNull(toJSONString(parent), 'null'),
  ',"unit":', ifNull(toJSONString(unit), 'null'),
  ',"container":', ifNull(toJSONString(container), 'null'),
  ',"pod":', ifNull(toJSONString(pod), 'null'),
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
  ',"hosts":', toJSONString(hosts),
  ',"hostsTotal":', toString(hostsTotal),
  ',"riskScore":', ifNull(toString(riskScore), 'null'),
  '}'
) CODEC(ZSTD(1));

CREATE OR REPLACE VIEW {database}.detections AS
SELECT
  r.id AS id, r.revision AS revision, r.rule AS rule, r.severity AS severity,
  r.hostname AS hostname, r.procname AS procname, r.file AS file, r.register AS register,
  r.executable AS executable, r.buildId AS buildId, r.uid AS uid, r.parent AS parent, r.unit AS unit, r.container AS container, r.pod AS pod,
  r.firstSeen AS firstSeen, r.lastSeen AS lastSeen, r.crashes AS crashes, r.suppressedAtLeast AS suppressedAtLeast,
  r.message AS message, r.values AS values, r.valuesTotal AS valuesTotal, r.attack AS attack, r.evidenceCount AS evidenceCount,
  if(empty(t.status), 'new', t.status) AS status, t.verdict AS verdict, t.assignee AS assignee, t.note AS note,
  if(r.received < addSeconds(s.changed, 10), s.exception, r.exception) AS exception, r.event AS event,
  r.hosts AS hosts, r.hostsTotal AS hostsTotal, r.riskScore AS riskScore, r.received AS received,
  r.object AS object
FROM {database}.detection_records AS r FINAL
LEFT JOIN (SELECT id, status, verdict, assignee, note FROM {database}.detection_triage FINAL) AS t ON t.id = r.id
LEFT JOIN (SELECT id, changed, exception FROM {database}.detection_silences FINAL) AS s ON s.id = r.id;
