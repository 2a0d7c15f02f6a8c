import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ExternalTask } from '#api/executions/engine/port.ts';
import { messagesOf } from '#api/executions/tasks/grpc/exchange.ts';
import { createGrpcTask } from '#api/executions/tasks/grpc/grpc-task.ts';
import { createAccessTokens } from '#api/executions/tasks/http/access-tokens.ts';
import { createAuthorize } from '#api/executions/tasks/http/authorize.ts';
import { createOutboundConnect } from '#api/outbound/outbound-connect.ts';
import { validateShape } from '#api/workflows/definitions/validate-shape.ts';
import { makeCertificates } from '../../../support/services/certificates.ts';
import { workflow } from '../engine/play.ts';
import { taskContext, unbound } from './task-context.ts';

type GrpcTask = Extract<ExternalTask, { kind: 'grpc' }>;

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

/** A server of the official implementation. */
async function startServer(credentials = ServerCredentials.createInsecure()): Promise<number> {
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
  type Asked = { request: { first_name: string }; metadata: { get(name: string): unknown[] } };
  server.addService(definition, {
    Greet: ({ request, metadata }: Asked, respond: (error: object | null, value?: object) => void) => {
      if (request.first_name === 'unknown') return respond({ code: status.NOT_FOUND, details: `no ${SECRET} here` });
      const [authorization = ''] = metadata.get('authorization');
      respond(null, {
        text: `hello ${request.first_name}, ${String(authorization)}`,
        big_number: '9007199254740993',
        mood: 1,
      });
    },
    Count: (call: { write(value: object): void; end(): void }) => {
      for (const text of ['one', 'two']) call.write({ text });
      call.end();
    },
    Chat: () => {},
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
  test('sends a message, with the credentials, and answers with JSON', async () => {
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
    ['a stream of messages', { method: 'Chat' }, { detail: 'Chat takes a stream of messages: a call sends one' }],
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

  test('does not connect to addresses that are not public, and shows no secret', async () => {
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

  test('a message that is compressed or incomplete is refused', () => {
    expect(() => messagesOf(Buffer.from([1, 0, 0, 0, 0]))).toThrow('compressed');
    expect(() => messagesOf(Buffer.from([0, 0, 0, 0, 9, 1]))).toThrow('incomplete');
    expect(messagesOf(Buffer.from([0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0]))).toEqual([Buffer.from([7]), Buffer.alloc(0)]);
  });
});

test('the host of a service may have dots', () => {
  const call = (host: string) =>
    workflow(
      `do: [ { a: { call: grpc, with: { proto: { endpoint: 'https://x' }, service: { name: S, host: '${host}' }, method: M } } } ]`,
    );
  expect(validateShape(call('grpc.example.org'))).toEqual([]);
  expect(validateShape(call('a/b'))).toMatchObject([{ path: ['do', '0', 'a', 'with', 'service', 'host'] }]);
});
