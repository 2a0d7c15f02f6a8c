import { get as request } from 'node:http';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { SecurityIncident } from '#api/telemetry/siem/port.ts';
import { createSecurityReporter } from '#api/telemetry/siem/security-reporter.ts';
import { OPERATOR_KEY, operatorGuard, runApp } from '#test/api/running-app.ts';
import { waitFor } from '#test/support/wait-for.ts';

async function watched() {
  const incidents: SecurityIncident[] = [];
  const reporter = createSecurityReporter({
    registry: new Registry(),
    onIncident: (incident) => incidents.push(incident),
  });
  const { port } = await runApp({
    deps: {
      guard: {
        ...operatorGuard(),
        clientAddress: (connection, forwardedFor) => forwardedFor ?? connection,
        report: reporter.report,
      },
    },
    prepare(app) {
      app.get('/api/things/:id', { config: { access: { by: 'anyone' } } }, async () => ({ ok: true }));
    },
  });
  /** Sends the path unchanged (`fetch` would normalize it) and resolves to the status. */
  const ask = (path: string, headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ port, path: path.replaceAll(' ', '%20'), headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      asked.once('error', reject);
    });
  return { ask, incidents, reported: () => waitFor('the incident', () => incidents.length > 0 && incidents) };
}

test.each([
  ['path traversal', '/api/uploads?filename=../../etc/passwd', 'path-traversal'],
  ['encoded path traversal', '/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'path-traversal'],
  ['path traversal that cannot be decoded, refused before any hook', '/api/%c0%ae%c0%ae/etc/passwd', 'path-traversal'],
  ['an operator in the query', '/api/things?name[$ne]=x', 'injection'],
  ['SQL in the query', "/api/nothing?q=1'%20OR%20'1'='1", 'injection'],
] as const)('%s is an abuse signal of the client address', async (_, path, kind) => {
  const { ask, reported } = await watched();
  expect(await ask(path, { 'x-forwarded-for': '203.0.113.9' })).toBeGreaterThanOrEqual(400);
  expect(await reported()).toContainEqual(
    expect.objectContaining({ kind, origin: expect.objectContaining({ ip: '203.0.113.9' }) }),
  );
  expect(await ask('/healthz')).toBe(200);
});

test('many unknown paths are an abuse signal', async () => {
  const { ask, reported } = await watched();
  for (let i = 0; i < 25; i++) await ask(`/word-${i}`);
  expect(await reported()).toMatchObject([{ kind: 'endpoint-enumeration', subject: 'none' }]);
});

test('searches of an analyst with a key are not', async () => {
  const { ask, reported, incidents } = await watched();
  const search = '/api/things/1?q=union%20select%20../etc/passwd';
  expect(await ask(search, { 'x-api-key': OPERATOR_KEY })).toBe(200);
  // Its end is reported before that of a later request.
  await ask('/%2e%2e%2fetc%2fpasswd');
  await reported();
  expect(incidents).toHaveLength(1);
});
