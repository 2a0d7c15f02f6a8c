import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { askEngine } from '#deploy/engines/clickhouse-request.ts';

const REQUEST = 'GET /ping HTTP/1.1\r\nhost: x\r\n\r\n';
/** Bytes that a client sends before it disconnects without reading the response. */
const BEGINNINGS = [
  '',
  'G',
  'GET /?query=SELECT%201 HTTP/1.1\r\n',
  'GET /?query=SELECT%201 HTTP/1.1\r\nhost: x\r\nx-clickhouse-',
  'POST /?query=SELECT%201 HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc',
  REQUEST,
  `${REQUEST}GET`,
  `${REQUEST.repeat(500)}GET`,
];

/** Regression: clickhouse-local called std::terminate when a connection was reset, so a client could end the engine. */
test('survives a client that disconnects at any point of a request', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-resets-'));
  const engine = await startClickHouseEngine({ dataDir });
  try {
    for (const beginning of BEGINNINGS) {
      for (let attempt = 0; attempt < 5; attempt++) {
        const client = connect(engine.socketPath);
        client.on('error', () => {});
        client.pause(); // closing a Unix socket with unread data resets the connection of the peer
        await once(client, 'connect');
        await new Promise((sent) => client.write(beginning, sent));
        // A response to another client shows that the engine has begun to respond to this client, or has read its
        // bytes.
        if (attempt > 0) await askEngine(engine, 'SELECT 1', AbortSignal.timeout(30_000));
        client.destroy();
        await once(client, 'close');
      }
      const response = await askEngine(engine, 'SELECT 1', AbortSignal.timeout(30_000));
      expect({ beginning, ...response }).toEqual({ beginning, status: 200, body: '1\n' });
    }
  } finally {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  expect(await engine.exited).toMatchObject({ code: 0, signal: null });
});
