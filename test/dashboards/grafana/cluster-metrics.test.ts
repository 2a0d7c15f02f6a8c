import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, useKafka, usePostgres, useRedis } from '#test/support/use-services.ts';
import { NAMED_OF_PROCESSES, namesOf } from './metric-names.ts';

/**
 * Starts `trapline ingest`, `api` and `worker` as separate processes, and checks the metrics that each exports from its
 * start.
 */

const ROLES = ['api', 'ingest', 'worker'] as const;
type Role = (typeof ROLES)[number];

const [kafka, clickhouse, postgres, redis] = await Promise.all([
  useKafka(),
  useClickHouse(),
  usePostgres(),
  useRedis(),
]);
let home: string;
const running: TraplineProcess[] = [];
const exported = new Map<Role, ReadonlySet<string>>();

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-grafana-'));
  await makeCertificates(home);
  const env = {
    ...(await clusterSettings(kafka, clickhouse)),
    DATABASE_URL: postgres.url,
    ...sharedSecrets(),
    REDIS_URL: redis.url,
    SIEM_AUDIT_PATH: path.join(home, 'siem.ndjson'),
    TRAPLINE_TLS_CERT_FILE: path.join(home, 'server.crt'),
    TRAPLINE_TLS_KEY_FILE: path.join(home, 'server.key'),
    TRAPLINE_TLS_HOST: '127.0.0.1',
    TRAPLINE_TLS_PORT: '0',
  };
  for (const role of ROLES) {
    const started = await startTrapline([role], env);
    running.push(started);
    exported.set(role, await metricsOf(started, role));
  }
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.endAll()));
  await removeHome(home);
});

async function metricsOf(started: TraplineProcess, role: Role): Promise<ReadonlySet<string>> {
  const { url } = JSON.parse(await started.logged(`${role} is running`)) as { url: string };
  // Only processes that serve the API have an operator key and require it.
  const key = await readFile(path.join(started.dataDir, 'operator.key'), 'utf8').catch(() => 'none is asked for');
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key.trim()}` } });
  if (!answer.ok) throw new Error(`${role} answered with ${answer.status}`);
  const types = [...(await answer.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return namesOf(types.map(([, metric = '', type = '']) => ({ metric, type })));
}

test.each(NAMED_OF_PROCESSES)('%s is exported by one of the processes', (name) => {
  expect(ROLES.filter((role) => exported.get(role)?.has(name))).not.toEqual([]);
});

test('exports the metric for pending executions without a worker', () => {
  expect(exported.get('api')).toContain('trapline_executions_pending_seconds');
});
