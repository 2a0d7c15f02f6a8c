import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startStatusReports } from '#ingest/detector/status-reports.ts';
import { detectorStatusSchema } from '#schemas/api/detectors.ts';
import { waitFor } from '#test/support/wait-for.ts';

/** A receiver that responds with these statuses in order and this body, then repeats the last one. */
async function receiver(statuses: number[], answer = '') {
  const reports: unknown[] = [];
  const server = createServer(async (request, response) => {
    reports.push({ method: request.method, key: request.headers['x-api-key'], body: JSON.parse(await text(request)) });
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) as number).end(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { reports, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/detectors/status`) };
}

test('reports the status at start and periodically; logs each kind of rejection once', async () => {
  const { reports, url } = await receiver([204, 503, 503, 204]);
  const logged: unknown[] = [];
  let lostRecords = 0;
  const stop = startStatusReports(
    { url, apiKey: 'tl_a.b', version: '0.1.0', source: 'syslog', intervalMs: 5 },
    () => ({
      hostname: 'h',
      lagMs: 7,
      lostRecords: lostRecords++,
      refusedEvents: 1,
      droppedEvents: 0,
      settings: { 'printk.time': 'Y' },
    }),
    (_level, fields) => logged.push(fields),
  );
  await waitFor('five reports', () => reports.length >= 5 || undefined);
  stop();
  const body = {
    version: '0.1.0',
    source: 'syslog',
    hostname: 'h',
    lagMs: 7,
    refusedEvents: 1,
    droppedEvents: 0,
    settings: { 'printk.time': 'Y' },
  };
  expect(reports.slice(0, 2)).toEqual([
    { method: 'PUT', key: 'tl_a.b', body: { ...body, lostRecords: 0 } },
    { method: 'PUT', key: 'tl_a.b', body: { ...body, lostRecords: 1 } },
  ]);
  expect(logged).toEqual([{ status: 503, reason: null }]);
});

test('a source longer than a receiver accepts is reported by its end', async () => {
  const { reports, url } = await receiver([204]);
  const source = `/var/log/${'a/'.repeat(60)}kern.log`;
  onTestFinished(
    startStatusReports(
      { url, apiKey: 'tl_a.b', version: '0.1.0', source },
      () => ({ lagMs: 0, lostRecords: 0, refusedEvents: 0, droppedEvents: 0, settings: {} }),
      () => {},
    ),
  );
  await waitFor('a report', () => reports.length > 0 || undefined);
  const { body } = reports[0] as { body: unknown };
  expect(detectorStatusSchema.parse(body)).toMatchObject({ source: expect.stringMatching(/^…[a/]{55}kern\.log$/) });
});

test('a host that is not enrolled ends its reports', async () => {
  const { reports, url } = await receiver([404]);
  let asked = 0;
  const stop = startStatusReports(
    { url, apiKey: 'tl_a.b', version: '0.1.0', source: '/dev/kmsg', intervalMs: 5 },
    () => ({ lagMs: 0, lostRecords: ++asked, refusedEvents: 0, droppedEvents: 0, settings: {} }),
    () => {},
  );
  onTestFinished(stop);
  await waitFor('a report', () => reports.length > 0 || undefined);
  // The response arrives after a few more reports at most. Then their number no longer changes between two polls.
  let before = -1;
  await expect
    .poll(() => {
      const same = asked === before;
      before = asked;
      return same;
    })
    .toBe(true);
});

test('a refusal names the field', async () => {
  const { url } = await receiver(
    [400],
    '{"issues":[{"field":"source","message":"at most 64 characters are expected"}]}',
  );
  const logged: unknown[] = [];
  onTestFinished(
    startStatusReports(
      { url, apiKey: 'tl_a.b', version: '0.1.0', source: '/dev/kmsg' },
      () => ({ lagMs: 0, lostRecords: 0, refusedEvents: 0, droppedEvents: 0, settings: {} }),
      (_level, fields) => logged.push(fields),
    ),
  );
  await waitFor('the refusal', () => logged.length > 0 || undefined);
  expect(logged).toEqual([{ status: 400, reason: 'source: at most 64 characters are expected' }]);
});
