import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { startOutputs } from '#api/outputs/start-outputs.ts';
import { createDatabase } from '#api/postgres/database.ts';

/**
 * A delivering process that tests kill: `node outputs-process.ts DATABASE_URL CLICKHOUSE_JSON SECRET CONFIG_JSON
 * FOLDER`.
 */
const [url = '', clickhouse = '', secret = '', config = '{}', folder = ''] = process.argv.slice(2);

startOutputs(
  {
    clickhouse: createClickHouse(JSON.parse(clickhouse)),
    database: createDatabase({ url, connections: 6 }),
    logger: pino(),
    registry: new Registry(),
    reach: { fetch: createOutboundFetch({ allow: ['127.0.0.0/8'] }), files: { folder } },
    seal: createSeal([secret]),
  },
  JSON.parse(config),
);
// The polls alone do not keep a process alive.
setInterval(() => {}, 60_000);
