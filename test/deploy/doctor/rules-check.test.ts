import { expect, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { rulesChecks } from '#deploy/doctor/rules-check.ts';

const cluster = { KAFKA_BROKERS: 'kafka:9092', CLICKHOUSE_URL: 'http://clickhouse:8123' };

async function statesOf(environment: Record<string, string>) {
  const resolved = resolveConfig({ environment });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  return (await runChecks(rulesChecks(resolved.config))).map(({ check, state }) => [check, state]);
}

test('reports an ingest process that cannot receive rule changes, but not one that can or a single process', async () => {
  expect(await statesOf(cluster)).toEqual([['rules of ingest', 'look']]);
  expect(await statesOf({ ...cluster, DATABASE_URL: 'postgres://postgres/trapline' })).toEqual([]);
  expect(await statesOf({})).toEqual([]);
});
