import { quoted } from '../table.ts';

/**
 * After so many seconds every process judges by the exceptions as they were changed: a revision that is written later says itself what silences it,
 * one that is older may not know.
 */
const SETTINGS_TAKE_SECONDS = 10;

/**
 * `detections`: the fields of the detection object, each detection once, in its latest revision, with what analysts decided and with the exception that
 * silences it now.
 */
export function detectionsView(database: string): string {
  const db = quoted(database);
  return `CREATE OR REPLACE VIEW ${db}.detections AS
SELECT
  r.id AS id, r.revision AS revision, r.rule AS rule, r.severity AS severity,
  r.hostname AS hostname, r.procname AS procname, r.file AS file, r.register AS register,
  r.firstSeen AS firstSeen, r.lastSeen AS lastSeen, r.crashes AS crashes, r.suppressedAtLeast AS suppressedAtLeast,
  r.message AS message, r.values AS values, r.valuesTotal AS valuesTotal, r.attack AS attack, r.evidenceCount AS evidenceCount,
  if(empty(t.status), 'new', t.status) AS status, t.verdict AS verdict, t.assignee AS assignee, t.note AS note,
  if(r.received < addSeconds(s.changed, ${SETTINGS_TAKE_SECONDS}), s.exception, r.exception) AS exception, r.event AS event, r.received AS received,
  r.object AS object
FROM ${db}.detection_records AS r FINAL
LEFT JOIN (SELECT id, status, verdict, assignee, note FROM ${db}.detection_triage FINAL) AS t ON t.id = r.id
LEFT JOIN (SELECT id, changed, exception FROM ${db}.detection_silences FINAL) AS s ON s.id = r.id`;
}
