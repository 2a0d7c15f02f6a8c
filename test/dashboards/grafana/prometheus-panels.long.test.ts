import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALERTS } from '#dashboards/grafana/alerts/all-rules.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { type PrometheusService, startPrometheus } from '#test/support/services/prometheus.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { randomName, useClickHouse, useKafka, usePostgres, useRedis } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { expandPromql } from './as-grafana-does.ts';
import { named, namesOf, RECORDED, RULE_QUERIES } from './metric-names.ts';
import { PANEL_QUERIES, VARIABLE_QUERIES } from './panel-queries.ts';
import { attack, detected, landHabit, prepare, type Service } from './use-service.ts';

/** Tests `trapline start` with all stores, scraped by a Prometheus that has the recording and alert rules. */

const RULES = fileURLToPath(new URL('../../../dashboards/grafana/generated/trapline.rules.yml', import.meta.url));
const ADMIN_KEY = randomName('admin-key-of-this-run-0123456789');
const PROMQL = PANEL_QUERIES.filter(({ language }) => language === 'promql');

const [kafka, clickhouse, postgres, redis] = await Promise.all([
  useKafka(),
  useClickHouse(),
  usePostgres(),
  useRedis(),
]);
let home: string;
let trapline: TraplineProcess;
let service: Service;
let prometheus: PrometheusService;
/** Names of all scraped metrics as Prometheus parsed them, and of the metrics that recording rules create. */
let names: ReadonlySet<string>;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-grafana-'));
  trapline = await startTrapline(['start', '--no-demo'], {
    TRAPLINE_DATA_DIR: home,
    ...(await clusterSettings(kafka, clickhouse)),
    DATABASE_URL: postgres.url,
    REDIS_URL: `${redis.url}/8`,
    SIEM_AUDIT_PATH: path.join(home, 'siem.ndjson'),
    ADMIN_KEY,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    // With tracing, Prometheus receives OpenMetrics. No receiver listens at this address: exports fail without an
    // effect on the metrics.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  });
  await trapline.logged('partitions assigned');
  const server = await waitFor('the server', () =>
    readFile(path.join(home, 'server.json'), 'utf8').catch(() => undefined),
  );
  const { url } = JSON.parse(server) as { url: string };
  const operatorKey = (await readFile(path.join(home, 'operator.key'), 'utf8')).trim();
  service = { url, operatorKey };
  await landHabit(clickhouse);
  const run = await prepare(service);
  prometheus = await startPrometheus({ targets: [{ job: 'trapline', url, bearer: operatorKey }], ruleFiles: [RULES] });
  await attack(service);
  await detected(service);
  await run();
  await waitFor('what happened to be scraped', async () => (await silentPanels()).every(isNoWonder), {
    timeoutMs: 200_000,
    everyMs: 500, // each poll queries all panels
  });
  const metadata = (await get('targets/metadata')) as { metric: string; type: string }[];
  names = namesOf(metadata);
}, 500_000);
afterAll(async () => {
  await prometheus?.stop();
  await trapline?.endAll();
  await removeHome(home);
});

async function get(route: string, parameters: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`${prometheus.url}/api/v1/${route}?${new URLSearchParams(parameters)}`);
  const { status, data, error } = (await response.json()) as { status: string; data: unknown; error?: string };
  if (status !== 'success') throw new Error(error);
  return data;
}

async function ask(route: 'query' | 'query_range', parameters: Record<string, string>): Promise<readonly object[]> {
  return ((await get(route, parameters)) as { result: readonly object[] }).result;
}

/** Returns the names of the panel queries that currently return no series. */
async function silentPanels(): Promise<string[]> {
  const silent: string[] = [];
  for (const { name, text } of PROMQL)
    if ((await ask('query', { query: expandPromql(text) })).length === 0) silent.push(name);
  return silent;
}

/** True for queries about faults that do not occur in a healthy service: they return no series. */
const isNoWonder = (name: string): boolean =>
  ['trapline_pipeline_retries_total', 'trapline_security_events_total', 'trapline_cache_requests_total'].some(
    (metric) => name.includes(metric),
  );

describe.each(PROMQL)('$name', ({ text, legend }) => {
  test('is understood by Prometheus', async () => {
    const end = Math.floor(Date.now() / 1_000);
    const times = { start: String(end - 20), end: String(end), step: '2' };
    await ask('query_range', { query: expandPromql(text), ...times });
  });

  test('uses only metrics that a process exports', () => {
    expect(named(text).length).toBeGreaterThan(0);
    for (const name of named(text)) expect(names, name).toContain(name);
  });

  test('legends use only labels that the query keeps', async () => {
    const kept = (text.match(/by \(([^)]*)\)/g) ?? []).join();
    const labels = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
    if (kept !== '') for (const label of labels) expect(kept).toContain(label);
    const lines = (await ask('query', { query: expandPromql(text) })) as readonly { metric: Record<string, string> }[];
    for (const { metric } of lines) expect(Object.keys(metric)).toEqual(expect.arrayContaining(labels));
  });
});

test.each(VARIABLE_QUERIES.filter(({ text }) => text.startsWith('label_values')))(
  '$name has values',
  async ({ text }) => {
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(text) ?? expect.fail(text);
    expect(await get(`label/${label}/values`, { 'match[]': metric })).toEqual(['trapline']);
  },
);

test('Prometheus loads and evaluates the rules, and no alert fires for a healthy service', async () => {
  const { groups } = (await get('rules')) as {
    groups: { rules: { name: string; health: string; lastError?: string; state?: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const all = [...RECORDED.map(({ record }) => record), ...ALERTS.map(({ alert }) => alert)];
  expect(rules.map(({ name }) => name).sort()).toEqual(all.sort());
  for (const { name, health, lastError = '', state = 'inactive' } of rules)
    expect({ name, health, lastError, state }).toEqual({ name, health: 'ok', lastError: '', state: 'inactive' });
});

test.each(RULE_QUERIES)('$name uses only metrics that a process exports', ({ expr }) => {
  expect(named(expr).length).toBeGreaterThan(0);
  for (const name of named(expr)) expect(names, name).toContain(name);
});

test('panels have data after activity', async () => {
  await attack(service);
  expect((await silentPanels()).filter((name) => !isNoWonder(name))).toEqual([]);
});

test('an administrator sees the same metrics with the admin key', async () => {
  const types = (text: string) => text.split('\n').filter((line) => line.startsWith('# TYPE'));
  const own = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.operatorKey}` } });
  const administration = await fetch(`${service.url}/api/prometheus`, { headers: { 'x-admin-key': ADMIN_KEY } });
  expect(types(await administration.text())).toEqual(types(await own.text()));
});
