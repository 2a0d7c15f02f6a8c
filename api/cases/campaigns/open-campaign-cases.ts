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

/** Opens a case for each campaign without one. Returns the number of opened cases. */
export type OpenCampaignCases = () => Promise<number>;

/**
 * Creates the function that opens one case for each campaign of the fleet rule that is neither closed nor silenced. The
 * case stores the id of its campaign, and nothing else is stored. Idempotent: a run may stop halfway, repeat, or run
 * concurrently in two processes.
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

/** Returns the initial values of the case of a campaign. */
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
