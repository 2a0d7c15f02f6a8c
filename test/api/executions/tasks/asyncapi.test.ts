import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AsyncApiTask, HttpTask } from '#api/executions/engine/contract/call-task.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { createAsyncApiTask } from '#api/executions/tasks/asyncapi/asyncapi-task.ts';
import { channelOf } from '#api/executions/tasks/asyncapi/channel.ts';
import { createOutboundConnect } from '#api/outbound/outbound-connect.ts';
import { createMessageBroker } from '#deploy/processes/platform/message-broker.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { useKafka } from '#test/support/use-services.ts';
import { useEvaluate, workflow } from '../engine/play.ts';
import { taskContext, unbound } from './task-context.ts';

const VERSION_3: JsonValue = {
  asyncapi: '3.0.0',
  servers: {
    ws: { host: 'x', protocol: 'ws' },
    web: {
      host: '{region}.example.org:8443',
      pathname: '/base/',
      protocol: 'https',
      variables: { region: { default: 'eu' } },
    },
    log: {
      host: 'a:9092,b:9092',
      protocol: 'kafka-secure',
      security: [{ $ref: '#/components/securitySchemes/login' }],
    },
  },
  channels: {
    greetings: { address: 'greetings/new', bindings: { kafka: { topic: 'greetings.new' } } },
    webOnly: { address: 'hooks', servers: [{ $ref: '#/servers/web' }] },
  },
  operations: {
    greet: { action: 'send', channel: { $ref: '#/channels/greetings' }, bindings: { http: { method: 'PUT' } } },
    hook: { action: 'send', channel: { $ref: '#/channels/webOnly' } },
  },
  components: { securitySchemes: { login: { type: 'scramSha512' } } },
};
const VERSION_2: JsonValue = {
  asyncapi: '2.6.0',
  servers: { main: { url: 'kafka://broker.example.org:9092', protocol: 'kafka', security: [{ login: [] }] } },
  channels: { 'user.{kind}': { publish: {} }, plain: {} },
  components: { securitySchemes: { login: { type: 'scramSha256' } } },
};
const task = (over: Partial<AsyncApiTask> = {}): AsyncApiTask => ({
  kind: 'asyncapi',
  document: { endpoint: 'https://docs.example.org/asyncapi.json' },
  operation: 'greet',
  message: { payload: { hello: 'ann' }, headers: { kind: 'test' } },
  ...over,
});

const evaluate = useEvaluate();

describe('the channel of a call', () => {
  test.each<[string, JsonValue, Partial<AsyncApiTask>, object]>([
    [
      'the first server that is supported',
      VERSION_3,
      {},
      { protocol: 'http', secure: true, server: 'eu.example.org:8443/base', address: 'greetings/new', method: 'PUT' },
    ],
    [
      'variables of the call',
      VERSION_3,
      { server: { name: 'web', variables: { region: 'us' } } },
      { server: 'us.example.org:8443/base' },
    ],
    [
      'a protocol',
      VERSION_3,
      { protocol: 'kafka' },
      {
        protocol: 'kafka',
        secure: true,
        server: 'a:9092,b:9092',
        address: 'greetings.new',
        mechanism: 'scram-sha-512',
      },
    ],
    [
      'version 2',
      VERSION_2,
      { channel: 'user.{kind}', server: { name: 'main', variables: { kind: 'new' } } },
      {
        protocol: 'kafka',
        secure: false,
        server: 'broker.example.org:9092',
        address: 'user.new',
        mechanism: 'scram-sha-256',
      },
    ],
  ])('%s', (_name, document, over, expected) => {
    expect(channelOf(document, task(over))).toMatchObject(expected);
  });

  test.each<[string, JsonValue, Partial<AsyncApiTask>, string]>([
    ['another document', { openapi: '3.0.0' }, {}, 'not an AsyncAPI document'],
    ['an unknown operation', VERSION_3, { operation: 'x' }, 'no operation x'],
    ['an unknown channel', VERSION_2, { channel: 'x' }, 'no channel x'],
    [
      'a server that the channel does not have',
      VERSION_3,
      { operation: 'hook', server: { name: 'log', variables: {} } },
      'no server log',
    ],
    ['a server of another protocol', VERSION_3, { server: { name: 'ws', variables: {} } }, 'has the protocol ws'],
    ['a variable without a value', VERSION_2, { channel: 'user.{kind}' }, 'the variable kind has no value'],
  ])('rejects %s', (_name, document, over, message) => {
    expect(() => channelOf(document, task(over))).toThrow(message);
  });
});

test('a message over HTTP is a request', async () => {
  const sent: HttpTask[] = [];
  const unused = () => Promise.reject(new Error('no broker is used'));
  const run = createAsyncApiTask({
    http: async (request) => {
      sent.push(request);
      return { accepted: true };
    },
    documents: { text: unused, value: async () => VERSION_3 },
    broker: { publish: unused, receive: unused },
    resolveSecrets: async () => new Map(),
    evaluate: unused,
  });
  expect(await run(task(), taskContext())).toEqual({ accepted: true });
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    endpoint: 'https://eu.example.org:8443/base/greetings/new',
    body: { hello: 'ann' },
    headers: { kind: 'test' },
  });
  const { message: _message, ...receiving } = task();
  await expect(run({ ...receiving, subscription: { amount: 1 } }, taskContext())).rejects.toMatchObject({
    error: { detail: 'messages are received from Kafka only: use `listen` for HTTP' },
  });
});

test('sends messages to a real cluster and receives them, without using a forbidden address', async () => {
  const { brokers } = await useKafka();
  const topic = `asyncapi-${randomUUID()}`;
  const [first = ''] = brokers;
  const document: JsonValue = {
    asyncapi: '2.6.0',
    servers: { main: { url: first, protocol: 'kafka' } },
    channels: { [topic]: {} },
  };
  const unused = () => Promise.reject(new Error('no request is sent'));
  const runner = (allow: readonly string[]) =>
    createAsyncApiTask({
      http: unused,
      documents: { text: unused, value: async () => document },
      broker: createMessageBroker({ outbound: createOutboundConnect({ allow }), logger: pino({ level: 'silent' }) }),
      resolveSecrets: async () => new Map([['key', unbound('the secret of a message')]]),
      evaluate,
    });
  const context = taskContext({ secretNames: ['key'] });
  const { operation: _operation, message: _message, ...base } = task({ channel: topic });
  await expect(runner([])({ ...base, message: { payload: 1, headers: {} } }, context)).rejects.toMatchObject({
    error: { status: 403, detail: expect.stringContaining('not public') },
  });
  const run = runner(['127.0.0.0/8', '::1']);
  await createTopic(brokers, topic);
  const payload = { hello: 'ann', key: { $secret: 'key' } };
  const filter = '${ .payload.hello == $context.who }';
  const subscription = { amount: 2, forMs: 60_000, filter, variables: { context: { who: 'ann' } } };
  const received = run({ ...base, subscription }, context);
  let done = false;
  const ended = received.finally(() => {
    done = true;
  });
  // A subscription receives only messages sent after it began, so messages are sent until it has two.
  await expect
    .poll(async () => {
      if (!done) await run({ ...base, message: { payload: { hello: 'bob' }, headers: {} } }, context);
      if (!done)
        expect(await run({ ...base, message: { payload, headers: { a: 'b' } } }, context)).toEqual({
          hello: 'ann',
          key: '[secret]',
        });
      return done;
    })
    .toBe(true);
  const message = { payload: { hello: 'ann', key: expect.any(String) }, headers: expect.objectContaining({ a: 'b' }) };
  expect(await ended).toEqual([message, message]);
});

test('a client certificate opens the connection to a real broker', async () => {
  const { secured, brokers } = await useSecuredKafka();
  const topic = `asyncapi-${randomUUID()}`;
  await createTopic(brokers, topic);
  const folder = await mkdtemp(join(tmpdir(), 'trapline-asyncapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const strangers = await makeCertificates(folder);
  const unused = () => Promise.reject(new Error('no request is sent'));
  const send = (protocol: string, certificate: string, key: string) => {
    const secret = JSON.stringify({ certificate, key, ca: secured.ca });
    const broker = createMessageBroker({
      outbound: createOutboundConnect({ allow: ['127.0.0.0/8'] }),
      logger: pino({ level: 'silent' }),
    });
    const document = {
      asyncapi: '2.6.0',
      servers: { main: { url: secured.ssl, protocol } },
      channels: { [topic]: {} },
    };
    const run = createAsyncApiTask({
      http: unused,
      documents: { text: unused, value: async () => document },
      broker,
      resolveSecrets: async () => new Map([['client', unbound(secret)]]),
      evaluate,
    });
    const { operation: _operation, ...base } = task({ channel: topic });
    const authentication = { scheme: 'certificate', secret: 'client' } as const;
    return run({ ...base, authentication }, taskContext({ secretNames: ['client'] }));
  };
  const { certificate, key } = secured.client;
  expect(await send('kafka-secure', certificate, key)).toEqual({ hello: 'ann' });
  await expect(send('kafka', certificate, key)).rejects.toMatchObject({
    error: { status: 400, detail: 'a client certificate needs a connection with TLS' },
  });
  const refused = send('kafka-secure', strangers.clientCertificate, strangers.clientKey);
  await expect(refused).rejects.toMatchObject({
    error: { status: 401, detail: expect.stringContaining('the server refused the client certificate') },
  });
});

/** The broker of the tests, or a new one if that of the environment lacks the listener with TLS. */
async function useSecuredKafka() {
  const given = await useKafka();
  if (given.secured !== undefined) return { ...given, secured: given.secured };
  const own = await startKafkaBroker({ secured: true });
  onTestFinished(() => own.stop());
  if (own.secured === undefined) throw new Error('the broker has no listener with TLS');
  return { ...own, secured: own.secured };
}

async function createTopic(brokers: readonly string[], topic: string): Promise<void> {
  const { createKafkaClient } = await import('#ingest/kafka/client.ts');
  const { kafka, destroy } = createKafkaClient({ brokers }, pino({ level: 'silent' }));
  const admin = kafka.admin();
  await admin.connect();
  // A cluster that has just started has no controller yet.
  const create = () =>
    admin.createTopics({ topics: [{ topic, numPartitions: 1 }] }).catch((error: Error) => {
      if (error.name !== 'KafkaJSBrokerNotFound') throw error;
      return false;
    });
  await expect.poll(create).toBe(true);
  await admin.disconnect();
  destroy();
}

test('rejects other protocols and parts of a subscription at release', () => {
  const definition = workflow(`
do:
  - a: { call: asyncapi, with: { document: { endpoint: "https://x" }, channel: c, protocol: mqtt, message: { payload: {} } } }
  - b: { call: asyncapi, with: { document: { endpoint: "https://x" }, channel: c, subscription: { filter: .x, consume: { until: .y } } } }
  - c: { call: asyncapi, with: { document: { endpoint: "https://x" }, channel: c, subscription: { consume: { amount: 1001 } } } }`);
  expect(checkSupported(definition).map(({ key, path }) => [key, path.slice(3).join('.')])).toEqual([
    ['call.asyncapi.protocol', 'with.protocol'],
    ['call.asyncapi.amount', 'with.subscription.consume.amount'],
  ]);
});
