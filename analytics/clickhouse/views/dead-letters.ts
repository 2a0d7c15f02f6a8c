import { quoted } from '../table.ts';

/** `dead_letters`: every refused record once, with the outcome of its latest redrive. `redriven` is set when that one landed. */
export function deadLettersView(database: string): string {
  const db = quoted(database);
  return `CREATE OR REPLACE VIEW ${db}.dead_letters AS
SELECT
  d.topic AS topic, d.partition AS partition, d.offset AS offset, d.received AS received,
  d.code AS code, d.path AS path, d.message AS message, d.key AS key, d.ingest_id AS ingest_id, d.raw AS raw,
  if(r.outcome = 'landed', r.tried, NULL) AS redriven,
  nullIf(r.outcome, '') AS redrive_outcome
FROM ${db}.dead_letter_records AS d
LEFT JOIN (
  SELECT topic, partition, offset, outcome, received AS tried FROM ${db}.dead_letter_redrives FINAL
) AS r ON r.topic = d.topic AND r.partition = d.partition AND r.offset = d.offset`;
}
