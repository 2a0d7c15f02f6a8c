import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { type ClickHouseConfig, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createOpenCampaignCases } from '#api/cases/campaigns/open-campaign-cases.ts';
import { createCases } from '#api/cases/cases.ts';
import { createNotices } from '#api/cases/notify/notices.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createNotifyOutputs } from '#api/outputs/cases/notify-outputs.ts';
import { createDatabase } from '#api/postgres/database.ts';

/**
 * Runs the job that opens the cases of campaigns repeatedly until it is killed: `node campaign-worker.ts DATABASE_URL
 * CLICKHOUSE_JSON`.
 */
const [url = '', service = '{}'] = process.argv.slice(2);
flushCompileCache(); // a killed process writes no compile cache at exit
const logger = pino({ level: 'warn' });
const database = createDatabase({ url, connections: 2 });
const clickhouse = createClickHouse(JSON.parse(service) as ClickHouseConfig);
const jobs = createJobQueue({ database, logger });
const cases = createCases({
  clickhouse,
  database,
  audit: createAudit(),
  notices: createNotices({ jobs }),
  notifyOutputs: createNotifyOutputs({ jobs }),
});
const open = createOpenCampaignCases({ clickhouse, database, cases });
for (;;) await open();
