import { createTableStatement } from '../table.ts';
import { apiRequestsTable } from '../tables/api-requests.ts';
import type { Migration } from './migration.ts';

export const apiRequests: Migration = {
  number: 2,
  name: 'api-requests',
  async run({ clickhouse, retentionDays }) {
    await clickhouse.command(
      'create the table api_requests',
      createTableStatement(clickhouse.database, apiRequestsTable, retentionDays),
    );
  },
};
