import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkSignature } from '#api/workflows/triggers/webhook-signature.ts';
import type { Detection } from '#schemas/detection.ts';
import { httpReceiver, type Received, syslogServer } from '#test/api/outputs/receivers.ts';
import { removeHome, startTrapline } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

const SIGNING = 'a key of the tests, long enough';

test('a real attack and the decision of an analyst reach a webhook and a syslog server', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-outputs-'));
  const env = { LOG_LEVEL: 'warn', OUTBOUND_ALLOW: '127.0.0.0/8' };
  const server = await startTrapline(['start', '--no-demo'], env, home);
  onTestFinished(async () => {
    await server.endAll();
    await removeHome(home);
  });
  await server.logged('Trapline serves');
  const { url } = JSON.parse(await readFile(path.join(home, 'data', 'server.json'), 'utf8')) as { url: string };
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  const call = async (method: string, route: string, body?: unknown) => {
    const response = await fetch(url + route, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };

  const [hook, log] = [await httpReceiver(), await syslogServer()];
  const webhook = { type: 'webhook', name: 'hook', settings: { url: hook.url }, secrets: { signingKey: SIGNING } };
  const made = await call('POST', '/api/outputs', webhook);
  expect(made.status).toBe(201);
  const syslog = { type: 'syslog', name: 'log', settings: { host: '127.0.0.1', port: log.port, tls: false } };
  expect((await call('POST', '/api/outputs', syslog)).status).toBe(201);
  expect((await call('POST', '/api/demo')).status).toBe(200);

  await waitFor('both', () => hook.taken.length > 0 && log.frames.length > 0);
  const { headers, body } = hook.taken[0] as Received;
  expect(checkSignature(String(headers['x-trapline-signature']), SIGNING, Buffer.from(body), Date.now()).ok).toBe(true);
  const { type, detection } = JSON.parse(body) as { type: string; detection: Detection };
  expect([type, detection.hostname, detection.procname]).toEqual(['detection.opened', 'demo', 'edge-gw']);
  expect(log.frames[0]).toContain(detection.id);

  expect((await call('PATCH', `/api/detections/${detection.id}`, { status: 'closed', verdict: 'benign' })).status).toBe(
    200,
  );
  await waitFor('the decision', () => hook.taken.some((one) => one.body.includes('"detection.closed"')));
  await waitFor('the decision', () => log.frames.some((frame) => frame.includes('cat=detection.closed')));
  const deliveries = await waitFor('nothing to wait', async () => {
    const { body: now } = await call('GET', `/api/outputs/${made.body.id}/deliveries`);
    return now.lag.messages === 0 && now.state === 'idle' && now;
  });
  expect(deliveries).toMatchObject({ delivered: hook.taken.length, lastError: null, deadLetters: { data: [] } });
  expect(await server.log()).not.toContain(SIGNING);
});
