import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connectionProblem } from '#schemas/connection-problem.ts';

const failureOf = (url: string): Promise<unknown> =>
  fetch(url).then(
    () => undefined,
    (error: unknown) => error,
  );

test('the fetch of Node: a blocked port, a closed port, and a server without TLS', async () => {
  const blocked = 'http://127.0.0.1:6667/';
  expect(connectionProblem(await failureOf(blocked), blocked)).toBe(
    'port 6667 belongs to another protocol, and HTTP requests to it are blocked',
  );
  const server = createServer((socket) => socket.resume().end('not TLS')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  expect(connectionProblem(await failureOf(`https://127.0.0.1:${port}/`))).toMatch(
    /^the server does not use TLS there/,
  );
  server.close();
  await once(server, 'close');
  expect(connectionProblem(await failureOf(`http://127.0.0.1:${port}/`))).toBe(
    'the connection was refused (ECONNREFUSED)',
  );
});

test('the first error of several addresses counts, and any other error has no such text', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ENOTFOUND' });
  expect(connectionProblem(new Error('all failed', { cause: new AggregateError([refused]) }))).toBe(
    'the host name cannot be resolved (ENOTFOUND)',
  );
  expect(connectionProblem(Object.assign(new Error('other'), { code: 'toString' }))).toBeUndefined();
  expect(connectionProblem('ECONNREFUSED')).toBeUndefined();
});
