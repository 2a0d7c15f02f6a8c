import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { MAX_PAGE } from '#analytics/clickhouse/read-models/listing.ts';
import { rule } from '#analytics/detections/rules/fleet-scan.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Detection } from '#schemas/detection.ts';
import { caseTitle } from '../case-title.ts';
import type { Campaign, Cases } from '../cases.ts';
import { campaignsWithCase } from '../tables/cases.ts';

export interface CampaignCasesDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly cases: Pick<Cases, 'openForCampaign'>;
}

/** Opens a case for each campaign without one. Returns the number of cases that were opened. */
export type OpenCampaignCases = () => Promise<number>;

/**
 * Campaigns of the fleet rule that are neither closed nor silenced each get one case, named by the id of the campaign in the store. Nothing else is
 * remembered: a run that stops halfway, repeats, or runs in two processes at once opens no second case and misses none.
 */
export function createOpenCampaignCases({ clickhouse, database, cases }: CampaignCasesDeps): OpenCampaignCases {
  return async () => {
    let opened = 0;
    let cursor: string | undefined;
    do {
      const page = await listDetections(
        clickhouse,
        { rule: rule.id },
        { limit: MAX_PAGE, ...(cursor === undefined ? {} : { cursor }) },
      );
      const open = page.items.filter(({ status, exception }) => status !== 'closed' && exception === null);
      const known = await campaignsWithCase(
        database,
        open.map(({ id }) => id),
      );
      for (const detection of open.filter(({ id }) => !known.has(id))) {
        const campaign = campaignOf(detection);
        const id = await inTransaction(database, (transaction) => cases.openForCampaign(transaction, campaign));
        if (id !== undefined) opened += 1;
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return opened;
  };
}

/** What the case of a campaign begins with. */
export function campaignOf({
  id,
  rule: { name },
  procname,
  file,
  hostsTotal,
  severity,
}: Pick<Detection, 'id' | 'rule' | 'procname' | 'file' | 'hostsTotal' | 'severity'>): Campaign {
  const program = procname ?? file;
  const title = `${name}: ${program === null ? '' : `${program} on `}${hostsTotal} hosts`;
  return { id, title: caseTitle(title), severity };
}
