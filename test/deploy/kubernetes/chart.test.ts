import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { SETTING_NAMES, settingInfo } from '#deploy/config/schema.ts';
import { topicNames } from '#deploy/processes/topic-names.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { CHART, chartHash, RENDERED, SOURCE_FILE, valuesNames } from '#test/distribution/chart-source.ts';
import {
  type Container,
  type KubernetesObject,
  type PodSpec,
  type PodTemplate,
  renderedObjects,
} from './rendered-objects.ts';

/** Seconds that a process needs to stop after its drain period. */
const STOP_SECONDS = 10;
/** Settings that the chart sets itself. */
const MANAGED = [
  'HOST',
  'PORT',
  'TRAPLINE_DATA_DIR',
  'TRAPLINE_DRAIN_SECONDS',
  'TRAPLINE_SEAT',
  'TRAPLINE_TLS_HOST',
  'TRAPLINE_TLS_PORT',
];
const STEP = 'run `npm run distribution -- render`';

const names = await valuesNames();
const all = await renderedObjects();
const pods = all.flatMap(({ title, object }) => {
  const template = templateOf(object);
  return template === undefined ? [] : [{ title, object, template }];
});
const ours = pods.filter(({ template }) => template.spec.containers[0]?.name !== 'detector');
test(`the rendered objects match the chart: otherwise ${STEP}`, async () => {
  expect((await readFile(path.join(RENDERED, SOURCE_FILE), 'utf8')).trim()).toBe(await chartHash());
  for (const name of names) expect(objectsOf(name), name).not.toEqual([]);
});

test('the chart has the version of the product', async () => {
  const chart = parse(await readFile(path.join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, string>;
  expect(chart).toMatchObject({ version: PRODUCT_VERSION, appVersion: PRODUCT_VERSION });
});

test('the schema of the values keeps secrets and chart settings out of the settings', async () => {
  const { definitions, properties } = await valuesSchema();
  const inFiles = SETTING_NAMES.filter((name) => settingInfo(name).file || name.endsWith('_FILE'));
  expect(definitions.settings.propertyNames.not.enum.toSorted()).toEqual([...MANAGED, ...inFiles].toSorted());
  expect(properties.secrets.propertyNames.enum.toSorted()).toEqual(inFiles.toSorted());
});

describe('the schema of the values', async () => {
  const validate = new Ajv({ strict: false }).compile(await valuesSchema());

  test.each(names)('accepts ci/%s-values.yaml', async (name) => {
    expect([
      validate(parse(await readFile(path.join(CHART, `ci/${name}-values.yaml`), 'utf8'))),
      validate.errors,
    ]).toEqual([true, null]);
  });

  test('accepts the defaults', async () => {
    const defaults = parse(await readFile(path.join(CHART, 'values.yaml'), 'utf8')) as object;
    expect([validate(defaults), validate.errors]).toEqual([true, null]);
  });

  test.each([
    ['a value that does not exist', { api: { replica: 3 } }],
    ['a secret among the settings', { settings: { AUTH_SECRET: 'x' } }],
    ['a setting that the chart gives', { settings: { PORT: 80 } }],
    ['a secret without a key', { secrets: { AUTH_SECRET: { secret: 'trapline' } } }],
    ['a secret with a value', { secrets: { AUTH_SECRET: 'x' } }],
    ['an unknown autoscaler', { api: { autoscaling: { by: 'vpa' } } }],
  ])('rejects %s', (_, values) => {
    expect(validate(values)).toBe(false);
  });
});

test.each(ours)('$title: meets the restricted pod security standard, on a read-only file system', ({ template }) => {
  const [container] = template.spec.containers as [Container];
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect((template.spec.volumes ?? []).filter((volume) => 'hostPath' in volume)).toEqual([]);
  expect(container.resources).toMatchObject({
    requests: { memory: expect.any(String) },
    limits: { memory: expect.any(String) },
  });
});

const processes = ours.filter(({ object }) => object.kind !== 'Pod');

test.each(processes)('$title: uses known settings with valid values, and a file for each secret', ({ template }) => {
  const [container] = template.spec.containers as [Container];
  const environment = environmentOf(container);
  const files = mountedFiles(template.spec, container);
  const resolved = resolveConfig({ environment, readFile: (file) => files.get(file) ?? '' });
  expect(resolved.ok ? resolved.warnings : [...resolved.errors, ...resolved.production]).toEqual([]);
  for (const [name, value] of Object.entries(environment))
    if (name.endsWith('_FILE')) expect([...files.keys()], name).toContain(value);
});

const served = processes.filter(({ object }) => object.kind !== 'Job');

test.each(served)('$title: has time to drain and stop', ({ template }) => {
  const drain = Number(environmentOf(template.spec.containers[0] as Container).TRAPLINE_DRAIN_SECONDS ?? 0);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + STOP_SECONDS);
});

test('only api and worker read the secrets of sessions', () => {
  const readers = ours
    .filter(({ template }) => JSON.stringify(template.spec.volumes ?? []).includes('JWT_SECRET'))
    .map(({ template }) => template.spec.containers[0]?.name);
  expect([...new Set(readers)].toSorted()).toEqual(['api', 'worker']);
});

test('only api mounts the key of HTTPS, and its Service has the port', () => {
  const readers = pods.filter(({ template }) =>
    JSON.stringify(template.spec.volumes ?? []).includes('TRAPLINE_TLS_KEY_FILE'),
  );
  expect(readers.map(({ template }) => template.spec.containers[0]?.name)).toEqual(['api']);
  const service = objectsOf('full').find(({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-api'));
  expect(service?.spec?.ports).toEqual([
    { name: 'http', port: 80, targetPort: 'http' },
    { name: 'https', port: 443, targetPort: 'https' },
  ]);
  expect(readers[0]?.template.spec.containers[0]).toMatchObject({
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'https', containerPort: 8443 },
    ],
  });
});

test('the detector has one capability, or is privileged if the values say so', () => {
  const contexts = Object.fromEntries(
    all
      .filter(({ object }) => object.kind === 'DaemonSet')
      .map(({ values, object }) => [values, templateOf(object)?.spec.containers[0]?.securityContext]),
  );
  expect(contexts).toEqual({
    full: {
      runAsUser: 0,
      runAsGroup: 0,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], add: ['SYSLOG'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    detector: { runAsUser: 0, runAsGroup: 0, readOnlyRootFilesystem: true, privileged: true },
  });
});

test('Services, budgets and policies select pods of the chart, and probes and ports refer to existing ports', () => {
  for (const values of names) {
    const objects = objectsOf(values);
    const labels = objects.map((object) => templateOf(object)?.metadata?.labels ?? object.metadata.labels ?? {});
    for (const object of objects) {
      const selector = selectorOf(object);
      if (selector === undefined) continue;
      const selected = labels.filter((one) => Object.entries(selector).every(([name, value]) => one[name] === value));
      expect(selected, `${values}: ${object.kind} ${object.metadata.name}`).not.toEqual([]);
    }
  }
});

test('KEDA scales by the lag of the group and topic that ingest reads', () => {
  const scaled = all.find(({ object }) => object.kind === 'ScaledObject' && object.metadata.name.endsWith('-ingest'));
  const { events } = topicNames({ topicPrefix: 'security.' });
  expect(scaled?.object.spec?.triggers).toMatchObject([
    {
      type: 'kafka',
      metadata: { bootstrapServers: 'kafka-1:9093,kafka-2:9093', consumerGroup: 'trapline-production', topic: events },
      authenticationRef: { name: 'kafka' },
    },
  ]);
});

test('rules and dashboards equal those of dashboards/grafana', async () => {
  const grafana = new URL('../../../dashboards/grafana/generated/', import.meta.url);
  const rules = await readFile(new URL('trapline.rules.yml', grafana), 'utf8');
  const full = objectsOf('full');
  const runbooks = 'https://git.example.org/trapline/blob/main/dashboards/grafana/runbooks/';
  expect(full.find(({ kind }) => kind === 'PrometheusRule')?.spec).toEqual(
    parse(rules.replaceAll('dashboards/grafana/runbooks/', runbooks)),
  );
  const boards = full.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data = {} }) => Object.entries(data));
  expect(boards.length).toBeGreaterThan(0);
  for (const [name, text] of boards) {
    const file = new URL(`dashboards/${name.replace('trapline-', '')}`, grafana);
    expect(JSON.parse(text)).toEqual(JSON.parse(await readFile(file, 'utf8')));
  }
});

function objectsOf(name: string): KubernetesObject[] {
  return all.filter(({ values }) => values === name).map(({ object }) => object);
}

async function valuesSchema() {
  return JSON.parse(await readFile(path.join(CHART, 'values.schema.json'), 'utf8')) as {
    readonly definitions: {
      readonly settings: { readonly propertyNames: { readonly not: { readonly enum: string[] } } };
    };
    readonly properties: { readonly secrets: { readonly propertyNames: { readonly enum: string[] } } };
  };
}

function templateOf(object: KubernetesObject): PodTemplate | undefined {
  if (object.kind === 'Pod') return { metadata: object.metadata, spec: object.spec as unknown as PodSpec };
  const template = object.spec?.template;
  return template as PodTemplate | undefined;
}

function selectorOf({ kind, spec }: KubernetesObject): Readonly<Record<string, string>> | undefined {
  if (kind === 'Service') return spec?.selector as Readonly<Record<string, string>>;
  const selector = (spec?.podSelector ?? spec?.selector) as
    | { matchLabels?: Readonly<Record<string, string>> }
    | undefined;
  return kind === 'ServiceMonitor' ? undefined : selector?.matchLabels;
}

/**
 * Returns the environment of a container. A value from a field reference is the name of the first pod of the
 * StatefulSet.
 */
function environmentOf({ env = [] }: Container): Record<string, string> {
  return Object.fromEntries(env.map(({ name, value }) => [name, value ?? 'trapline-ingest-0']));
}

/**
 * Returns the contents of the mounted secret and config files by path, in a format that the setting of that name
 * accepts.
 */
function mountedFiles({ volumes = [] }: PodSpec, { volumeMounts = [] }: Container): Map<string, string> {
  const files = new Map<string, string>();
  for (const { name, mountPath } of volumeMounts) {
    const volume = volumes.find((one) => one.name === name);
    for (const source of volume?.projected?.sources ?? [])
      for (const item of source.secret?.items ?? source.configMap?.items ?? [])
        files.set(`${mountPath}/${item.path}`, CONTENT[item.path] ?? `${item.path}-${'x1y2'.repeat(10)}`);
  }
  return files;
}

const CONTENT: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://trapline:secret@postgres:5432/trapline',
  REDIS_URL: 'redis://:secret@redis:6379',
  SMTP_URL: 'smtps://mail.example.org',
  AUTH_SECRET: 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaQ',
  JWT_SECRET: 'QWxwaGFCZXRhR2FtbWFEZWx0YTk4NzY1NDMyMTBrbG0',
  ADMIN_KEY: 'cG9pdXl0cmV3cWxramhnZmRzYW1uYnZjeHoxMzU3OTA',
};
