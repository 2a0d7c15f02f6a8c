import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { Server, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GrpcTask } from '#api/executions/engine/contract/call-task.ts';
import { createGrpcTask } from '#api/executions/tasks/grpc/grpc-task.ts';
import { framed, readMessages } from '#api/executions/tasks/grpc/message-reader.ts';
import { createAccessTokens } from '#api/executions/tasks/http/access-tokens.ts';
import { createAuthorize } from '#api/executions/tasks/http/authorize.ts';
import { createOutboundConnect } from '#api/outbound/outbound-connect.ts';
import { validateShape } from '#api/workflows/definitions/validate-shape.ts';
import { makeCertificates } from '../../../support/services/certificates.ts';
import { workflow } from '../engine/play.ts';
import { taskContext, unbound } from './task-context.ts';

const FILES: Readonly<Record<string, string>> = {
  'https://proto.example.org/v1/greet.proto': `
    syntax = "proto3";
    package greet.v1;
    import "google/protobuf/timestamp.proto";
    import "types.proto";
    message Answer { string text = 1; int64 big_number = 2; Mood mood = 3; repeated string seen_by = 4; google.protobuf.Timestamp at = 5; }
    service Greeter {
      rpc Greet (Question) returns (Answer);
      rpc Count (Question) returns (stream Answer);
      rpc Chat (stream Question) returns (Answer);
      rpc Talk (stream Question) returns (stream Answer);
      rpc Watch (Question) returns (stream Answer);
    }`,
  'https://proto.example.org/v1/types.proto': `
    syntax = "proto3";
    package greet.v1;
    enum Mood { NEUTRAL = 0; HAPPY = 1; }
    message Question { string first_name = 1; Mood mood = 2; }`,
  'https://proto.example.org/v1/far.proto': 'syntax = "proto3"; import "https://elsewhere.example.org/x.proto";',
  'https://proto.example.org/v1/broken.proto': 'message {',
};
const SECRET = 'the token of the service';

interface Call {
  readonly request: { readonly first_name: string };
  readonly metadata: { get(name: string): unknown[] };
  on(event: 'data', listener: (question: { readonly first_name: string }) => void): void;
  on(event: 'end' | 'cancelled' | 'drain', listener: () => void): void;
  write(value: object): boolean;
  end(): void;
}
type Respond = (error: object | null, value?: object) => void;

/** A server of the official implementation. `onCancel` is called when a client ends a call of `Watch`. */
async function startServer(
  credentials = ServerCredentials.createInsecure(),
  onCancel: () => void = () => {},
): Promise<number> {
  const root = new protobuf.Root();
  for (const text of Object.values(FILES).slice(0, 2).reverse())
    protobuf.parse(text.replaceAll(/google\.protobuf\.Timestamp at = 5;|import .*;/g, ''), root, { keepCase: true });
  const service = root.lookupService('greet.v1.Greeter');
  const question = root.lookupType('greet.v1.Question');
  const answer = root.lookupType('greet.v1.Answer');
  const definition = Object.fromEntries(
    service.methodsArray.map(({ name, requestStream = false, responseStream = false }) => [
      name,
      {
        path: `/greet.v1.Greeter/${name}`,
        requestStream,
        responseStream,
        requestSerialize: () => Buffer.alloc(0),
        requestDeserialize: (bytes: Buffer) => question.decode(bytes),
        responseSerialize: (value: object) => Buffer.from(answer.encode(answer.fromObject(value)).finish()),
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    ]),
  ) as unknown as ServiceDefinition;
  const server = new Server();
  server.addService(definition, {
    Greet: ({ request, metadata }: Call, respond: Respond) => {
      if (request.first_name === 'unknown') return respond({ code: status.NOT_FOUND, details: `no ${SECRET} here` });
      const [authorization = ''] = metadata.get('authorization');
      respond(null, {
        text: `hello ${request.first_name}, ${String(authorization)}`,
        big_number: '9007199254740993',
        mood: 1,
      });
    },
    Count: (call: Call) => {
      for (const text of ['one', 'two']) call.write({ text });
      call.end();
    },
    Chat: (call: Call, respond: Respond) => {
      const seen_by: string[] = [];
      call.on('data', ({ first_name }) => seen_by.push(first_name));
      call.on('end', () => respond(null, { text: `${seen_by.length} questions`, seen_by }));
    },
    Talk: (call: Call) => {
      call.on('data', ({ first_name }) => call.write({ text: `hello ${first_name}` }));
      call.on('end', () => call.end());
    },
    // Without an end. `big` as the name asks for large messages.
    Watch: (call: Call) => {
      const text = call.request.first_name === 'big' ? 'x'.repeat(100_000) : '';
      const fill = () => {
        while (call.write({ text }));
      };
      call.on('drain', fill);
      call.on('cancelled', onCancel);
      fill();
    },
  } as never);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error))),
  );
  onTestFinished(() => server.forceShutdown());
  return port;
}

function runner(allow: readonly string[] = ['127.0.0.0/8'], secret = SECRET) {
  const resolveSecrets = async () => new Map([['token', unbound(secret)]]);
  const unused = () => Promise.reject(new Error('no tokens are fetched'));
  return createGrpcTask({
    outbound: createOutboundConnect({ allow }),
    documents: { text: async ({ endpoint }) => FILES[endpoint] ?? '', value: unused },
    authorize: createAuthorize({ tokens: createAccessTokens({ fetch: unused }), resolveSecrets }),
    resolveSecrets,
  });
}

const task = (port: number, over: Partial<GrpcTask> = {}): GrpcTask => ({
  kind: 'grpc',
  proto: { endpoint: 'https://proto.example.org/v1/greet.proto' },
  service: 'greet.v1.Greeter',
  host: '127.0.0.1',
  port,
  method: 'Greet',
  arguments: { first_name: 'ann', mood: 'HAPPY' },
  ...over,
});
const context = () => taskContext({ secretNames: ['token'] });

describe('call: grpc', () => {
  test('sends a message with the credentials, and returns JSON', async () => {
    const port = await startServer();
    const run = runner();
    expect(await run(task(port, { authentication: { scheme: 'bearer', secret: 'token' } }), context())).toEqual({
      text: 'hello ann, Bearer [secret]',
      big_number: '9007199254740993',
      mood: 'HAPPY',
      seen_by: [],
      at: null,
    });
    expect(await run(task(port, { method: 'Count' }), context())).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  });

  test.each<[string, Partial<GrpcTask>, object]>([
    [
      'a status of the service',
      { arguments: { first_name: 'unknown' } },
      { status: 404, detail: expect.stringContaining('NOT_FOUND') },
    ],
    ['an unknown method', { method: 'Nothing' }, { detail: 'the proto file has no method greet.v1.Greeter/Nothing' }],
    ['an unknown service', { service: 'x.Y' }, { detail: 'the proto file has no method x.Y/Greet' }],
    [
      'a list for a method without a stream',
      { arguments: [{ first_name: 'ann' }] },
      { status: 400, detail: 'the arguments: Greet takes one message, not a list' },
    ],
    [
      'an unknown field in a stream',
      { method: 'Chat', arguments: [{ first_name: 'ann' }, { name: 'x' }] },
      { status: 400, detail: 'the arguments (message 2): the message has no field name' },
    ],
    [
      'a text in a stream',
      { method: 'Chat', arguments: ['ann'] },
      { status: 400, detail: 'the arguments (message 1): a message must be an object' },
    ],
    ['an unknown field', { arguments: { name: 'x' } }, { detail: 'the arguments: the message has no field name' }],
    [
      'a file that imports from elsewhere',
      { proto: { endpoint: 'https://proto.example.org/v1/far.proto' } },
      { detail: expect.stringContaining('has another origin') },
    ],
    [
      'a file that cannot be read',
      { proto: { endpoint: 'https://proto.example.org/v1/broken.proto' } },
      { status: 400, detail: expect.stringContaining('the proto file: ') },
    ],
    ['a port of another protocol', { port: 25 }, { status: 403, detail: expect.stringContaining('port') }],
  ])('fails for %s', async (_name, over, error) => {
    const port = await startServer();
    await expect(runner()(task(port, over), context())).rejects.toMatchObject({ error });
  });

  test('does not connect to private addresses, and shows no secret', async () => {
    const port = await startServer();
    await expect(runner([])(task(port), context())).rejects.toMatchObject({
      error: { status: 403, detail: expect.stringContaining('not public') },
    });
    const failed = runner()(
      task(port, { arguments: { first_name: 'unknown' }, authentication: { scheme: 'bearer', secret: 'token' } }),
      context(),
    );
    await expect(failed).rejects.toMatchObject({
      error: { detail: 'greet.v1.Greeter/Greet ended with NOT_FOUND: no [secret] here' },
    });
  });

  test('a client certificate opens a connection with TLS, whatever the port', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trapline-grpc-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ours = await makeCertificates(folder);
    const pair = { private_key: Buffer.from(ours.serverKey), cert_chain: Buffer.from(ours.serverCertificate) };
    const port = await startServer(ServerCredentials.createSsl(Buffer.from(ours.ca), [pair], true));
    const certificate = ours.clientCertificate;
    const run = runner(undefined, JSON.stringify({ certificate, key: ours.clientKey, ca: ours.ca }));
    const authentication = { scheme: 'certificate', secret: 'token' } as const;
    expect(await run(task(port, { authentication }), context())).toMatchObject({ text: 'hello ann, ' });
    await expect(run(task(port), context())).rejects.toMatchObject({ error: { status: 502 } });
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closes the connection', (socket) => socket.destroy()],
    ['resets it in the middle', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['speaks another protocol', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('fails for a server that %s', async (_name, serve) => {
    const server = createServer((socket) => serve(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(runner()(task(port), context())).rejects.toMatchObject({
      error: { type: expect.stringContaining('communication'), status: 502 },
    });
  });

  test('ends with its step', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const abort = new AbortController();
    server.once('connection', () => abort.abort(new Error('the step was ended')));
    const ended = runner()(task((server.address() as AddressInfo).port), { ...context(), signal: abort.signal });
    await expect(ended).rejects.toThrow('the step was ended');
  });

  test.each<[string, string, GrpcTask['arguments'], object]>([
    ['to the server', 'Chat', [{ first_name: 'ann' }, { first_name: 'bob' }], { seen_by: ['ann', 'bob'] }],
    ['to the server, as one object', 'Chat', { first_name: 'ann' }, { seen_by: ['ann'] }],
    ['to the server, without a message', 'Chat', [], { text: '0 questions' }],
    [
      'in both directions',
      'Talk',
      [{ first_name: 'ann' }, { first_name: 'bob' }],
      [{ text: 'hello ann' }, { text: 'hello bob' }],
    ],
  ])('streams messages %s', async (_name, method, given, expected) => {
    const port = await startServer();
    expect(await runner()(task(port, { method, arguments: given }), context())).toMatchObject(expected);
  });

  test('receives a stream of many messages larger than a window of HTTP/2', async () => {
    const port = await startServer();
    const questions = Array.from({ length: 200 }, (_, at) => ({ first_name: `${at}-${'x'.repeat(2_000)}` }));
    const answers = await runner()(task(port, { method: 'Talk', arguments: questions }), context());
    expect(answers).toMatchObject(questions.map(({ first_name }) => ({ text: `hello ${first_name}` })));
  });

  test.each([
    ['messages', 'ann', 'the response has more than 10000 messages'],
    ['bytes', 'big', 'the response is larger than 5242880 bytes'],
  ])('cancels an endless stream at the limit of %s', async (_name, first_name, detail) => {
    const cancelled = Promise.withResolvers<void>();
    const port = await startServer(undefined, cancelled.resolve);
    const endless = runner()(task(port, { method: 'Watch', arguments: { first_name } }), context());
    await expect(endless).rejects.toMatchObject({ error: { status: 502, detail: expect.stringContaining(detail) } });
    await cancelled.promise;
  });

  test('reads a compressed response', async () => {
    const server = createHttp2Server();
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      expect(headers['grpc-accept-encoding']).toBe('identity,gzip,deflate');
      stream.respond({ ':status': 200, 'grpc-encoding': 'gzip' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      const compressed = framed(gzipSync(Buffer.from([0x0a, 2, 0x68, 0x69])));
      compressed[0] = 1;
      stream.end(compressed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    expect(await runner()(task((server.address() as AddressInfo).port), context())).toMatchObject({ text: 'hi' });
  });
});

describe('messages of a response', () => {
  async function* chunksOf(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read = (bytes: Buffer, size = 3, coding = 'identity', limits = {}) =>
    readMessages(chunksOf(bytes, size), () => coding, { maxBytes: 1_000, maxMessages: 3, ...limits });
  const compressed = (message: Buffer) => {
    const frame = framed(message);
    frame[0] = 1;
    return frame;
  };

  test.each([1, 3, 7, 1_000])('are the same in chunks of %d bytes', async (size) => {
    const messages = [Buffer.from([7]), Buffer.alloc(0), Buffer.alloc(40, 1)];
    expect(await read(Buffer.concat(messages.map(framed)), size)).toEqual(messages);
    expect(await read(compressed(gzipSync('hello')), size, 'gzip')).toEqual([Buffer.from('hello')]);
    expect(await read(compressed(deflateSync('hello')), size, 'deflate')).toEqual([Buffer.from('hello')]);
  });

  test.each<[string, Buffer, string, string]>([
    ['an incomplete message', Buffer.from([0, 0, 0, 0, 9, 1]), 'identity', 'a message is incomplete'],
    ['an incomplete prefix', Buffer.from([0, 0]), 'identity', 'a message is incomplete'],
    ['an unknown compression', compressed(gzipSync('x')), 'snappy', 'a compression that was not requested'],
    ['a compression without its name', compressed(gzipSync('x')), '', 'a compression that was not requested'],
    ['wrong compressed bytes', compressed(Buffer.from('x')), 'gzip', 'cannot be decompressed'],
    ['many bytes', framed(Buffer.alloc(1_001)), 'identity', 'larger than 1000 bytes'],
    ['many compressed bytes', compressed(gzipSync(Buffer.alloc(1_001))), 'gzip', 'larger than 1000 bytes'],
    [
      'many compressed bytes in all',
      Buffer.concat(Array(2).fill(compressed(gzipSync(Buffer.alloc(600))))),
      'gzip',
      'larger than 1000 bytes',
    ],
    ['many messages', Buffer.alloc(20), 'identity', 'more than 3 messages'],
  ])('are rejected for %s', async (_name, bytes, coding, message) => {
    await expect(read(bytes, 3, coding)).rejects.toThrow(message);
  });
});

test('accepts a message, a list for a stream, or an expression as arguments', () => {
  const call = (given: string) =>
    workflow(
      `do: [ { a: { call: grpc, with: { proto: { endpoint: 'https://x' }, service: { name: S, host: h }, method: M, arguments: ${given} } } } ]`,
    );
  for (const given of ['{ a: 1 }', '[ { a: 1 }, "${ .b }" ]', '"${ .questions }"'])
    expect(validateShape(call(given))).toEqual([]);
  for (const given of ['text', '[ 1 ]', '1']) expect(validateShape(call(given)), given).not.toEqual([]);
});

test('accepts dots in the host of a service', () => {
  const call = (host: string) =>
    workflow(
      `do: [ { a: { call: grpc, with: { proto: { endpoint: 'https://x' }, service: { name: S, host: '${host}' }, method: M } } } ]`,
    );
  expect(validateShape(call('grpc.example.org'))).toEqual([]);
  expect(validateShape(call('a/b'))).toMatchObject([{ path: ['do', '0', 'a', 'with', 'service', 'host'] }]);
});
