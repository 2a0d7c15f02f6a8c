-- sha256 2af3bd011c16b3f9f81e45a584d0b8b4430acc40eb9720e5bec39a68f9588e70
-- Lists of detections can be sorted by severity and crashes, which grow with revisions. As for the latest evidence, a walk goes by what each
-- detection had when it began. Rows from before have an empty severity: a walk that began then goes by the present values.
ALTER TABLE {database}.detection_places ADD COLUMN IF NOT EXISTS severity LowCardinality(String) AFTER lastSeen;
ALTER TABLE {database}.detection_places ADD COLUMN IF NOT EXISTS crashes UInt64 AFTER severity;
ALTER TABLE {database}.detection_records_to_places MODIFY QUERY
SELECT id, revision, lastSeen, severity, crashes, now64(3) AS landed FROM {database}.detection_records;
