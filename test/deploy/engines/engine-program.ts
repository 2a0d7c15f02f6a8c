// Starts the embedded ClickHouse, sends one query with each of our clients, prints one line of JSON and stops it.
import { readFileSync, statSync } from 'node:fs';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { type ClickHouseEngineOptions, startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import type { EngineReport } from './engine-report.ts';

const options = JSON.parse(process.argv[2] ?? '') as ClickHouseEngineOptions;
const warnings: string[] = [];
const logger = { info: () => {}, warn: (_: object, message: string) => void warnings.push(message), error: () => {} };
const report: EngineReport = await startClickHouseEngine({ ...options, logger }).then(
  async (engine) => {
    await engine.check(AbortSignal.timeout(10_000));
    const clickhouse = createClickHouse({ ...engine, database: 'default' });
    const environ = await clickhouse
      .rows('read the environment', `SELECT file('/proc/${process.pid}/environ') AS text`)
      .then(
        () => 'read',
        (error: { type?: string }) => error.type ?? 'failed',
      );
    const [row] = await clickhouse.rows<{ name: string }>('read the user', 'SELECT currentUser() AS name');
    const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8');
    const { ino } = statSync(`/proc/${engine.pid}/ns/net`);
    await clickhouse.close();
    await engine.stop();
    return {
      user: row?.name,
      environ,
      isolated: engine.isolated,
      confined: engine.confined,
      ownNetwork: ino !== statSync('/proc/self/ns/net').ino,
      status,
      warnings,
    };
  },
  (error: Error) => ({ error: error.message, name: error.name, warnings }),
);
console.log(JSON.stringify(report));
