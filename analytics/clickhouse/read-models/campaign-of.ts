import { RULES } from '#analytics/detections/rule-registry.ts';
import type { ClickHouse } from '../client.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';

const ACROSS_HOSTS = RULES.filter(({ acrossHosts }) => acrossHosts === true).map(({ id }) => `'${id}'`);
/** Number of campaigns, the latest, to which detections are matched. */
const MAX_CAMPAIGNS = 500;

/**
 * Returns SQL of the id of a detection's campaign, '' for none. It matches the campaign itself, and detections of its
 * file on one of its hosts during its time. For several campaigns, the latest. A campaign that lists only a part of its
 * hosts matches all hosts.
 */
export function campaignOf(clickhouse: ClickHouse): string {
  const campaigns = `(SELECT groupArray((id, file, hosts, hostsTotal, firstSeen, lastSeen)) FROM (
    SELECT id, ifNull(toString(file), '') AS file, hosts, hostsTotal, firstSeen, lastSeen
    FROM ${clickhouse.table(detectionRecordsTable.name)} FINAL WHERE rule.id IN (${ACROSS_HOSTS.join(', ')})
    ORDER BY lastSeen DESC, id LIMIT ${MAX_CAMPAIGNS}))`;
  const isOn = `(has(c.3, ifNull(toString(hostname), '')) OR (c.4 > length(c.3) AND hostname IS NOT NULL))`;
  const isOfFile = `(c.2 != '' AND c.2 = ifNull(toString(file), '') AND ${isOn})`;
  const isDuring = '(firstSeen <= c.6 AND lastSeen >= c.5)';
  return `arrayFirst(c -> (c.1 = id OR (${isOfFile} AND ${isDuring})), ${campaigns}).1`;
}
