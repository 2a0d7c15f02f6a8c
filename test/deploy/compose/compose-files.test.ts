import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { SETTING_NAMES } from '#deploy/config/schema.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly hostname?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const FOLDER = new URL('../../../deploy/compose/', import.meta.url);
/** Seconds that a process needs to stop after its drain period. */
const STOP_SECONDS = 10;

const [single, cluster] = await Promise.all(['single.yaml', 'cluster.yaml'].map(read));
const ours = [single, cluster].flatMap((file) =>
  Object.entries(file?.services ?? {}).filter(([, { image }]) => image.includes('trapline/')),
);

describe.each(ours)('the service %s', (name, service) => {
  const environment = withDefaults(service.environment);

  test('runs without privileges on a read-only file system', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    const check = service.healthcheck?.test ?? [];
    for (const argument of check) expect(argument).toBeTypeOf('string');
    if (name === 'migrate') expect(service.healthcheck).toEqual({ disable: true });
    else expect(check.join(' ')).toContain('/readyz');
  });

  test('uses known settings with valid values', () => {
    const readFile = (path: string) => CONTENT[path.replace('/run/secrets/', '')] ?? '';
    const resolved = resolveConfig({ environment, readFile });
    expect(resolved.ok ? [] : resolved.errors).toEqual([]);
    const names = Object.keys(environment).map((setting) => setting.replace(/_FILE$/, ''));
    expect(names.filter((setting) => !(SETTING_NAMES as readonly string[]).includes(setting))).toEqual([]);
  });

  test('mounts each secret that a setting names', () => {
    const mounted = (service.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));
    const named = Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE'));
    for (const [, path] of named) expect(mounted).toContain(path.replace('/run/secrets/', ''));
  });

  test('has a stop timeout for draining and stopping', () => {
    const drain = Number(environment.TRAPLINE_DRAIN_SECONDS ?? 0);
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(drain + STOP_SECONDS);
  });
});

test('each seat is the host name of one process', () => {
  const seats = ours.flatMap(([, { environment, hostname }]) => {
    const seat = environment?.TRAPLINE_SEAT;
    return seat === undefined ? [] : [{ seat, hostname }];
  });
  expect(seats.map(({ seat }) => seat)).toEqual(['api-1', 'ingest-1', 'ingest-2']);
  for (const { seat, hostname } of seats) expect(hostname).toBe(seat);
});

test('make-secrets.sh creates every secret of the files', async () => {
  const script = await readFile(new URL('make-secrets.sh', FOLDER), 'utf8');
  const made = [...script.matchAll(/^secret (\S+)/gm)].map(([, name]) => name);
  const declared = [single, cluster].flatMap((file) => Object.keys(file?.secrets ?? {}));
  expect(made.toSorted()).toEqual([...new Set(declared)].toSorted());
  const used = [single, cluster].flatMap((file) =>
    Object.values(file?.services ?? {}).flatMap(({ secrets = [] }) =>
      secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)),
    ),
  );
  expect([...new Set(used)].toSorted()).toEqual([...new Set(declared)].toSorted());
});

async function read(file: string): Promise<Compose> {
  return parse(await readFile(new URL(file, FOLDER), 'utf8'), { merge: true }) as Compose;
}

/** Expands unset variables to their defaults, as Compose does. */
function withDefaults(environment: Service['environment'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );
}

/** Contents of the secret files, in the format of make-secrets.sh. */
const CONTENT: Readonly<Record<string, string>> = {
  'admin-key': 'a'.repeat(20) + 'b'.repeat(23),
  'auth-secret': 'c'.repeat(20) + 'd'.repeat(23),
  'jwt-secret': 'e'.repeat(20) + 'f'.repeat(23),
  'clickhouse-password': 'g'.repeat(43),
  'database-url': 'postgres://trapline:secret@postgres:5432/trapline',
  'redis-url': 'redis://:secret@redis:6379',
};
