import { once } from 'node:events';
import { get as request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectionLimits } from '#api/http/connection-limits.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY, runApp } from '../running-app.ts';

function run(connections: ConnectionLimits) {
  return runApp({
    options: { connections },
    prepare: (app) =>
      void app.get('/large', { config: { access: { by: 'anyone' } } }, async () => 'x'.repeat(64 * 2 ** 20)),
  });
}

function open(port: number, from = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

const closed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket.resume(), 'close'));

/** Resolves to the status line, on a new connection. */
async function ask(port: number, from?: string): Promise<string> {
  const socket = open(port, from);
  socket.write('GET /healthz HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
  return (await text(socket)).split('\r\n')[0] ?? '';
}

async function metric(get: (path: string, headers?: Record<string, string>) => Promise<Response>, name: string) {
  const body = await (await get('/metrics')).text();
  return body.split('\n').find((line) => line.startsWith(name)) ?? body.slice(0, 200);
}

describe('idle connections', () => {
  test('of one address are limited, and other addresses are served', async () => {
    const { port, get } = await run({ maxOfAddress: 5 });
    const idle = Array.from({ length: 5 }, () => open(port, '127.0.0.2'));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await closed(open(port, '127.0.0.2'));
    expect(await ask(port)).toBe('HTTP/1.1 200 OK');
    expect(await metric(get, 'trapline_http_connections_refused_total{limit="address"}')).toMatch(/ 1$/);
    // A closed connection frees its slot.
    idle[0]?.destroy();
    await waitFor('room', async () => (await ask(port, '127.0.0.2')) === 'HTTP/1.1 200 OK');
  });

  test('of all addresses are limited', async () => {
    const { port } = await run({ maxConnections: 3 });
    const idle = [2, 3, 4].map((host) => open(port, `127.0.0.${host}`));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await closed(open(port, '127.0.0.9'));
  });

  test('of a proxy are not limited per address', async () => {
    const { port } = await run({ maxOfAddress: 1, isProxy: (address) => address === '127.0.0.2' });
    const idle = [open(port, '127.0.0.2'), open(port, '127.0.0.2')];
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await ask(port, '127.0.0.2')).toBe('HTTP/1.1 200 OK');
  });
});

describe('pipelined requests', () => {
  const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n';

  test('are limited: the connection is closed, and no further request of it begins', async () => {
    let begun = 0;
    const { port, get } = await runApp({
      options: { connections: { maxPipelined: 3 } },
      prepare: (app) =>
        void app.get('/held', { config: { access: { by: 'anyone' } } }, async () => {
          begun++;
          return new Promise(() => {});
        }),
    });
    const socket = open(port);
    socket.write(REQUEST.replace('/healthz', '/held').repeat(500));
    await closed(socket);
    expect(begun).toBe(3);
    expect(await metric(get, 'trapline_http_connections_refused_total{limit="requests"}')).toMatch(/ 1$/);
  });

  test('below the limit are answered in order, any number of times', async () => {
    const { port } = await run({ maxPipelined: 3 });
    const socket = open(port);
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    for (let round = 1; round <= 3; round++) {
      socket.write(REQUEST.repeat(3));
      await waitFor('three responses', async () => received.split('HTTP/1.1 200 OK').length - 1 === 3 * round);
    }
  });
});

describe('time limits', () => {
  test.each([
    ['nothing at all', ''],
    ['headers that never end', 'GET /healthz HTTP/1.1\r\nHost: a.example\r\nX-'],
  ])('apply to %s', async (_, beginning) => {
    const { port } = await run({ headersMs: 200 });
    const socket = open(port);
    socket.write(beginning);
    expect(await text(socket)).toContain('HTTP/1.1 408 Request Timeout');
  });

  test('apply between two requests', async () => {
    const { port } = await run({ keepAliveMs: 100 });
    const socket = open(port);
    socket.write('GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n');
    expect(await text(socket)).toContain('200 OK');
  });

  test('apply to reading a response: a client that does not read is disconnected', async () => {
    const { app, url } = await run({ silenceMs: 300 });
    const asking = request(`${url}/large`, { headers: { 'x-api-key': OPERATOR_KEY } });
    onTestFinished(() => void asking.destroy());
    const [response] = await once(asking, 'response');
    expect(response.statusCode).toBe(200);
    await waitFor('the answer to be given up', () => app.requestsInFlight() === 0);
    await expect(text(response)).rejects.toThrow();
  });
});
