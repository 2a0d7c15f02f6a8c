import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyRefusedError, type OutgoingEvent, UndeliveredError } from '#ingest/detector/sinks/event-sink.ts';
import { createHttpSink, type HttpSink, type HttpSinkOptions } from '#ingest/detector/sinks/http-sink.ts';
import { waitFor } from '#test/support/wait-for.ts';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}
interface Received {
  headers: IncomingMessage['headers'];
  numbers: number[];
  at: number;
}

let directory: string;
let server: Server | null = null;
let port = 0;
let received: Received[] = [];
/** The response to an empty batch, which a detector sends to check its key. */
let checkAnswer: Answer;
let checks = 0;
/** The next responses; 200 when the list is empty. */
let answers: Answer[] = [];
let logged: string[] = [];
/** Responses wait for this promise. */
let hold: Promise<void> | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trapline-http-'));
  received = [];
  checkAnswer = { status: 400 };
  checks = 0;
  answers = [];
  logged = [];
  hold = undefined;
  port = 0;
  await up();
});
afterEach(async () => {
  await down();
  await rm(directory, { recursive: true });
});

async function up(): Promise<void> {
  server = createServer(async (request, response) => {
    const body = gunzipSync(await buffer(request)).toString();
    if (body === '') {
      checks++;
      response.writeHead(checkAnswer.status, checkAnswer.headers).end();
      return;
    }
    const numbers = body
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
    received.push({ headers: request.headers, numbers, at: Date.now() });
    await hold;
    const { status, headers, body: text = '{}' } = answers.shift() ?? { status: 200 };
    response.writeHead(status, headers).end(text);
  });
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
}
async function down(): Promise<void> {
  if (!server) return;
  server.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  server = null;
}

const event = (n: number): OutgoingEvent => ({ json: `{"n":${n}}`, hostname: 'h', ingestId: null });
function open(options: Partial<HttpSinkOptions> = {}): Promise<HttpSink> {
  return createHttpSink(
    {
      url: new URL(`http://127.0.0.1:${port}/api/events`),
      apiKey: 'secret',
      spoolDirectory: join(directory, 'spool'),
      maxAgeMs: 5,
      retryBaseMs: 5,
      retryMaxMs: 20,
      closeTimeoutMs: 60_000,
      timeoutMs: 60_000,
      ...options,
    },
    { log: (level, _fields, message) => logged.push(`${level}: ${message}`) },
  );
}
const numbers = (): number[] => received.flatMap((one) => one.numbers);
const upTo = (n: number): number[] => Array.from({ length: n }, (_value, at) => at + 1);

test('sends events in gzipped batches by number, size and age, each with the API key and its own idempotency key', async () => {
  const sink = await open({ maxBatchEvents: 3, maxBatchBytes: 1_000 });
  await Promise.all([sink.write(upTo(7).map(event)), sink.write([event(8)])]);
  await sink.write([{ ...event(9), json: `{"n":9,"x":"${'x'.repeat(2_000)}"}` }]);
  expect(received.map((one) => one.numbers)).toEqual([[1, 2, 3], [4, 5, 6], [7, 8], [9]]);
  for (const { headers } of received) {
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      'x-api-key': 'secret',
    });
    expect(headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(4);
  await sink.close();
  expect(sink.stats()).toMatchObject({ sent: 9, refused: 0, dropped: 0 });
});

test.each([429, 500, 503, 408])('an answer of %i is tried again with the same key and body', async (status) => {
  answers = [{ status }, { status }];
  const sink = await open();
  await sink.write([event(1)]);
  await waitFor('the third attempt', () => received.length === 3);
  await waitFor('the spool to be empty', () => sink.stats().spooledBytes === 0);
  await sink.close();
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(sink.stats()).toMatchObject({ sent: 1, dropped: 0 });
});

test('waits for Retry-After', async () => {
  answers = [{ status: 500 }, { status: 429, headers: { 'retry-after': '1' } }];
  const sink = await open();
  await sink.write([event(1)]);
  await waitFor('the third attempt', () => received.length === 3);
  const [, second, third] = received as [Received, Received, Received];
  expect(third.at - second.at).toBeGreaterThanOrEqual(990);
  await sink.close();
});

test('a rejected batch is kept next to the spool, counted and reported; later batches continue', async () => {
  answers = [{ status: 400 }];
  const sink = await open();
  await sink.write([event(1), event(2)]);
  await sink.write([event(3)]);
  await sink.close();
  expect(sink.stats()).toMatchObject({ sent: 1, refused: 2, dropped: 0 });
  expect(await readFile(join(directory, 'spool', 'rejected.ndjson'), 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  expect(logged).toEqual(['error: the receiver refused a batch']);
});

test('a rejected key or a wrong URL loses nothing: the batch waits until it is corrected', async () => {
  const sink = await open();
  answers = [{ status: 401 }, { status: 403 }, { status: 404 }];
  await sink.write([event(1)]);
  await sink.write([event(2)]);
  await waitFor('the last attempt to be answered', () => sink.stats().sent === 2);
  expect(received).toHaveLength(5);
  await sink.close();
  expect(sink.stats()).toMatchObject({ sent: 2, refused: 0, dropped: 0 });
  expect(logged).toContain('error: the receiver rejects the API key, events wait for a valid one');
});

test.each([401, 403])(
  'a key that is refused with %i is an error at the start, before there is an event, also when a spool waits',
  async (status) => {
    checkAnswer = { status };
    for (const spoolDirectory of [null, join(directory, 'spool')])
      await expect(open({ spoolDirectory })).rejects.toThrow(`refused the API key (HTTP ${status})`);
    expect({ checks, received }).toEqual({ checks: 2, received: [] });
    await down();
    const away = await open({ closeTimeoutMs: 50 });
    await away.write([event(1)]);
    await away.close();
    await up();
    answers = [{ status }];
    await expect(open()).rejects.toThrow(KeyRefusedError);
    const mended = await open();
    await waitFor('the spool to be empty', () => mended.stats().spooledBytes === 0);
    await mended.close();
    expect(mended.stats().sent).toBe(1);
  },
);

test('while the receiver is unavailable at the start, the first batch checks the key', async () => {
  checkAnswer = { status: 503 };
  answers = [{ status: 401 }, { status: 403 }];
  for (const spoolDirectory of [null, join(directory, 'spool')]) {
    const sink = await open({ spoolDirectory });
    await expect(sink.write([event(1)])).rejects.toThrow('refused the API key');
    await sink.close();
    expect(sink.stats()).toMatchObject({ sent: 0, dropped: 0, spooledBytes: 0 });
  }
});

test('a key that is rejected after an outage is reported as such, and retried until it is valid', async () => {
  await down();
  const sink = await open();
  await sink.write([event(1)]);
  await sink.write([event(2)]);
  answers = [{ status: 401 }, { status: 403 }];
  await up();
  await waitFor('the spool to be empty', () => sink.stats().spooledBytes === 0);
  await sink.close();
  expect(sink.stats()).toMatchObject({ sent: 2, dropped: 0 });
  expect(new Set(numbers())).toEqual(new Set([1, 2]));
  expect(logged).toContain('error: the receiver rejects the API key, events wait for a valid one');
  expect(logged).not.toContain('error: the spool cannot be read');
});

test('events during a delivery go into the next batch', async () => {
  const sink = await open({ spoolDirectory: null });
  const release = Promise.withResolvers<void>();
  hold = release.promise;
  const first = sink.write([event(1)]);
  await waitFor('the first batch', () => received.length === 1);
  const others = upTo(300).map((n) => sink.write([event(n + 1)]));
  release.resolve();
  await Promise.all([first, ...others]);
  await sink.close();
  expect(received.map((one) => one.numbers)).toEqual([[1], upTo(301).slice(1)]);
});

test('events that the receiver found invalid are counted', async () => {
  answers = [{ status: 200, body: '{"accepted":1,"rejected":[{"index":0,"code":"field_missing"}]}' }];
  const sink = await open();
  await sink.write([event(1), event(2)]);
  await sink.close();
  expect(sink.stats()).toMatchObject({ sent: 1, refused: 1 });
});

test('events of another host are kept next to the spool: the receiver keeps no copy', async () => {
  const other = (index: number) => ({ index, code: 'other_host', message: 'the key belongs to another host' });
  answers = [
    {
      status: 200,
      body: JSON.stringify({ accepted: 1, rejected: [other(0), { index: 1, code: 'x' }], rejectedTotal: 2 }),
    },
    // The response lists only some of the rejected events.
    { status: 200, body: JSON.stringify({ accepted: 1, rejected: [other(0)], rejectedTotal: 2 }) },
  ];
  const sink = await open();
  await sink.write([1, 2, 3].map(event));
  await sink.write([4, 5].map(event));
  await sink.close();
  expect(sink.stats()).toMatchObject({ sent: 1, refused: 4 });
  expect(await readFile(join(directory, 'spool', 'rejected.ndjson'), 'utf8')).toBe('{"n":1}\n{"n":4}\n{"n":5}\n');
  expect(logged).toEqual(['error: the receiver refused events', 'error: the receiver refused events']);
});

test('the age of the oldest event in the spool is known, also after a restart, until the receiver accepts it', async () => {
  const since = Date.now();
  await down();
  const first = await open({ closeTimeoutMs: 50 });
  expect(first.backlog?.().oldestMs).toBeNull();
  await first.write([event(1)]);
  await first.write([event(2)]);
  const oldestMs = first.backlog?.().oldestMs as number;
  // Retry-After is in whole seconds.
  expect(oldestMs).toBeGreaterThan(since - 1_000);
  expect(oldestMs).toBeLessThanOrEqual(Date.now());
  await first.close();
  const second = await open({ closeTimeoutMs: 50 });
  expect(second.backlog?.().oldestMs).toBe(oldestMs);
  await up();
  await second.write([event(3)]);
  await waitFor('the spool to be empty', () => second.backlog?.().oldestMs === null);
  await second.close();
  expect(numbers()).toEqual([1, 2, 3]);
});

test('while the receiver is unavailable, writes resolve once they are on disk; afterwards all arrive in order, once', async () => {
  await down();
  const sink = await open();
  for (const n of upTo(20)) await sink.write([event(n)]);
  expect(sink.stats().spooledBytes).toBeGreaterThan(0);
  await up();
  await waitFor('all twenty', () => numbers().length === 20);
  await waitFor('the spool to be empty', () => sink.stats().spooledBytes === 0);
  await sink.write([event(21)]);
  await sink.close();
  expect(numbers()).toEqual(upTo(21));
});

test('spooled events survive the end of the process', async () => {
  await down();
  const first = await open({ closeTimeoutMs: 50 });
  for (const n of upTo(5)) await first.write([event(n)]);
  await first.close();
  expect(logged.at(-1)).toBe('warn: events wait in the spool: the next run sends them');
  await up();
  logged = [];
  const second = await open();
  await second.write([event(6)]);
  await waitFor('all six', () => numbers().length === 6);
  await second.close();
  expect(logged).toEqual([]);
  expect(numbers()).toEqual(upTo(6));
});

test('a full spool keeps the oldest events, and counts and reports those that it drops', async () => {
  await down();
  const sink = await open({ maxSpoolBytes: 400, maxBatchEvents: 1 });
  await sink.write(upTo(20).map(event));
  const { dropped } = sink.stats();
  expect(dropped).toBeGreaterThan(0);
  expect(logged).toContain('error: the spool is full: events dropped');
  await up();
  await waitFor('the rest', () => numbers().length === 20 - dropped);
  await sink.close();
  expect(numbers()).toEqual(upTo(20 - dropped));
});

test('a receiver that never responds does not delay the shutdown: unaccepted events are spooled', async () => {
  await down();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  const sink = await open({ closeTimeoutMs: 50 });
  const writing = sink.write([event(1)]);
  await sink.close();
  await writing;
  expect(sink.stats()).toMatchObject({ sent: 0, dropped: 0 });
  expect(sink.stats().spooledBytes).toBeGreaterThan(0);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test('without a spool, a write waits for the receiver, and rejects if it stays unavailable', async () => {
  answers = [{ status: 500 }];
  const sink = await open({ spoolDirectory: null, closeTimeoutMs: 500 });
  await sink.write([event(1)]);
  await down();
  const waiting = sink.write([event(2)]);
  const outcome = expect(waiting).rejects.toThrow(UndeliveredError);
  await sink.close();
  await outcome;
});
