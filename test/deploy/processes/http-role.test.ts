import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { startHttpRole } from '#deploy/processes/http-role.ts';
import { createLifecycle } from '#deploy/processes/lifecycle.ts';
import { localUrl } from '#deploy/processes/local-url.ts';
import { OPERATOR_KEY, operatorGuard } from '#test/api/running-app.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';

const logger = pino({ level: 'silent' });

async function listenOn(environment: Record<string, string>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-http-'));
  const lifecycle = createLifecycle(logger);
  onTestFinished(async () => {
    await lifecycle.stop();
    await rm(dataDir, { recursive: true });
  });
  const resolved = resolveConfig({ environment: { TRAPLINE_DATA_DIR: dataDir, ...environment } });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  return startHttpRole(resolved.config, lifecycle, {
    logger,
    registry: new Registry(),
    components: {},
    guard: operatorGuard(),
    clickhouse: createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' }),
    submitEvents: async () => 'full',
    redrive: async ({ id }) => ({ id, outcome: 'not_found' }),
    rules: DEFAULT_DETECTION_SETTINGS,
  });
}

test('uses any free port, visible in the URL', async () => {
  const url = await listenOn({ PORT: '0' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('announces a server on all addresses by a reachable address', async () => {
  const url = await listenOn({ PORT: '0', HOST: '0.0.0.0' });
  expect(new URL(url).hostname).toBe('127.0.0.1');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(localUrl('::', 8080)).toBe('http://[::1]:8080');
  expect(localUrl('2001:db8::7', 8080)).toBe('http://[2001:db8::7]:8080');
});

test('reports a port in use as wrong configuration, without a stack', async () => {
  const other = createServer();
  onTestFinished(async () => void (await once(other.close(), 'close')));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(listenOn({ PORT: String(port) })).rejects.toMatchObject({
    exitCode: 2,
    message: `port ${port} of 127.0.0.1 is taken by another program: set PORT to another one (0: any free one)`,
  });
});

test('reports an address of another machine as wrong configuration, without a stack', async () => {
  await expect(listenOn({ PORT: '0', HOST: '192.0.2.1' })).rejects.toMatchObject({
    exitCode: 2,
    message: 'HOST 192.0.2.1 is not an address of this machine',
  });
});

test('HTTPS is served too; a certificate that cannot be read and a taken port are wrong configuration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await makeCertificates(folder);
  const tls = { TRAPLINE_TLS_CERT_FILE: join(folder, 'server.crt'), TRAPLINE_TLS_KEY_FILE: join(folder, 'server.key') };
  const other = createServer();
  onTestFinished(async () => void (await once(other.close(), 'close')));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const settings = { PORT: '0', TRAPLINE_TLS_HOST: '127.0.0.1', TRAPLINE_TLS_PORT: '0' };

  const url = await listenOn({ ...settings, ...tls });
  expect(
    await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } })).text(),
  ).toContain('trapline_tls_certificate_expiry_timestamp_seconds ');
  await expect(listenOn({ ...settings, ...tls, TRAPLINE_TLS_PORT: String(port) })).rejects.toMatchObject({
    exitCode: 2,
    message: `port ${port} of 127.0.0.1 is taken by another program: set TRAPLINE_TLS_PORT to another one (0: any free one)`,
  });
  await expect(listenOn({ ...settings, ...tls, TRAPLINE_TLS_CERT_FILE: '/none' })).rejects.toMatchObject({
    exitCode: 2,
    message: 'TRAPLINE_TLS_CERT_FILE: /none cannot be read (ENOENT)',
  });
});
