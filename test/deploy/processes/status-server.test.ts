import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { createLifecycle } from '#deploy/processes/lifecycle.ts';
import { startStatusServer, statusPort } from '#deploy/processes/status-server.ts';

const logger = pino({ level: 'silent' });

test('never takes another port than the configured one, which a probe would query', async () => {
  const other = createServer();
  onTestFinished(async () => void (await once(other.close(), 'close')));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const resolved = resolveConfig({ environment: { PORT: String(port) } });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  const lifecycle = createLifecycle(logger);
  const starting = startStatusServer(resolved.config, 'ingest', lifecycle, {
    logger,
    registry: new Registry(),
    components: {},
  });
  await expect(starting).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`port ${port} of 127.0.0.1 is taken by another program`),
  });
});

test('without PORT, each role has a different port, so that all start on one machine', () => {
  const config = (environment: Record<string, string>) => {
    const resolved = resolveConfig({ environment });
    if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
    return resolved.config;
  };
  const ports = [config({}).http.port, statusPort(config({}), 'ingest'), statusPort(config({}), 'worker')];
  expect(new Set(ports).size).toBe(3);
  // An explicit PORT applies to every role, also when it is the default of `api` and of the container images.
  for (const port of [8080, 0]) expect(statusPort(config({ PORT: String(port) }), 'worker')).toBe(port);
});
