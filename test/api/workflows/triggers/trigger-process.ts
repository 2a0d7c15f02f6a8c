import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { createTriggers } from '#api/workflows/triggers/triggers.ts';
import { triggerDeps } from './trigger-fixture.ts';

/**
 * The triggers of a worker in a process that tests kill: `node trigger-process.ts DATABASE_URL CLICKHOUSE` (CLICKHOUSE:
 * options as JSON).
 */
const [url = '', clickhouse = '{}'] = process.argv.slice(2);
const deps = triggerDeps(createDatabase({ url, connections: 4 }));
createTriggers(
  { ...deps, clickhouse: createClickHouse(JSON.parse(clickhouse) as Parameters<typeof createClickHouse>[0]) },
  { pauseMs: 10, detections: { pauseMs: 10, againMs: 0 } },
);
setInterval(() => {}, 1_000);
