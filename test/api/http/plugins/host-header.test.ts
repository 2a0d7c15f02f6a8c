import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { OPERATOR_KEY, startApp } from '../../running-app.ts';

/**
 * If two parsers of one request see different hosts or lengths, an attacker can exploit the difference (request
 * smuggling).
 */

let running: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.app.close());

/** Sends the bytes unchanged. Resolves to status and body when the connection ends. */
async function exchange(sent: string): Promise<{ status: number; body: string }> {
  const socket = connect(running.port, '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}

const get = (target: string, hosts: readonly string[], version = '1.1') =>
  exchange(
    `GET ${target} HTTP/${version}\r\n${hosts.map((host) => `Host:${host}\r\n`).join('')}Connection: close\r\n\r\n`,
  );

describe('the host of a request', () => {
  test.each([
    ['two names', '/healthz', [' a.example', ' b.example'], 'invalid_value'],
    ['the same name twice', '/healthz', [' a.example', ' a.example'], 'invalid_value'],
    ['two names joined by a comma', '/healthz', [' a.example, b.example'], 'invalid_value'],
    ['none', '/healthz', [], 'required'],
    ['an empty one', '/healthz', [''], 'invalid_value'],
    ['one with a user', '/healthz', [' admin@a.example'], 'invalid_value'],
    ['one with a path', '/healthz', [' a.example/admin'], 'invalid_value'],
    ['one with a query', '/healthz', [' a.example?x'], 'invalid_value'],
    ['one with a fragment', '/healthz', [' a.example#x'], 'invalid_value'],
    ['one with a space', '/healthz', [' a.example b.example'], 'invalid_value'],
    ['one with a port that is no number', '/healthz', [' a.example:80a'], 'invalid_value'],
    ['another one than the target', 'http://a.example/healthz', [' b.example'], 'invalid_value'],
    ['another port than the target', 'http://a.example/healthz', [' a.example:8080'], 'invalid_value'],
    ['the target with a user', 'http://b.example@a.example/healthz', [' a.example'], 'invalid_value'],
    ['two names on an address that is no route', '/nothing-here', [' a.example', ' b.example'], 'invalid_value'],
  ])('rejects %s', async (_, target, hosts, code) => {
    const { status, body } = await get(target, hosts);
    expect(status).toBe(400);
    expect(errorEnvelopeSchema.parse(JSON.parse(body)).issues).toMatchObject([{ field: 'host', code }]);
  });

  test.each([
    ['a name', '/healthz', [' a.example'], '1.1'],
    ['a name with a port', '/healthz', [' a.example:8080'], '1.1'],
    ['an IPv6 address', '/healthz', [' [::1]:8080'], '1.1'],
    ['none, in HTTP/1.0', '/healthz', [], '1.0'],
    ['that of a target in absolute form', 'http://a.example/healthz', [' a.example'], '1.1'],
    ['that of such a target with its usual port, in capitals', 'http://a.example:80/healthz', [' A.example'], '1.1'],
  ])('accepts %s', async (_, target, hosts, version) => {
    expect((await get(target, hosts, version)).status).toBe(200);
  });
});

describe('an ambiguous body length', () => {
  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'],
    ['the same length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
    ['an encoding that does not end in chunks', 'Transfer-Encoding: chunked, gzip\r\n'],
    ['a length with a sign', 'Content-Length: +2\r\n'],
  ])('rejects %s', async (_, headers) => {
    const { status } = await exchange(
      `POST /api/events HTTP/1.1\r\nHost: a.example\r\nx-api-key: ${OPERATOR_KEY}\r\nContent-Type: application/json\r\n${headers}Connection: close\r\n\r\n{}\r\n0\r\n\r\n`,
    );
    expect(status).toBe(400);
    expect(running.submitted).toEqual([]);
  });
});
