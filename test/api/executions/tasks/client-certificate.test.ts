import { spawn } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { HttpTask } from '#api/executions/engine/contract/call-task.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { createA2aTask } from '#api/executions/tasks/a2a/a2a-task.ts';
import { createDocuments } from '#api/executions/tasks/documents/documents.ts';
import { readClientCertificate } from '#api/executions/tasks/http/client-certificate.ts';
import { createHttpExchange } from '#api/executions/tasks/http/http-exchange.ts';
import { createHttpTask } from '#api/executions/tasks/http/http-task.ts';
import type { McpSession } from '#api/executions/tasks/mcp/mcp-sessions.ts';
import { createMcpTask } from '#api/executions/tasks/mcp/mcp-task.ts';
import { createSessionPool } from '#api/executions/tasks/mcp/session-pool.ts';
import { createOpenApiTask } from '#api/executions/tasks/openapi/openapi-task.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { type Certificates, makeCertificates } from '#test/support/services/certificates.ts';
import { taskContext } from './task-context.ts';

const PASSPHRASE = 'open sesame';
let folder: string;
let ours: Certificates;
let strangers: Certificates;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trapline-client-certificate-'));
  const elsewhere = await mkdtemp(join(folder, 'strangers-'));
  [ours, strangers] = await Promise.all([makeCertificates(folder), makeCertificates(elsewhere)]);
  return () => rm(folder, { recursive: true });
});

const pem = (): string => ours.clientCertificate + ours.clientKey;
const encryptedKey = (): string =>
  createPrivateKey(ours.clientKey).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: PASSPHRASE,
  }) as string;

/** Responds with the name in the certificate of the client, which it requires; documents and agents have paths. */
async function startServer(): Promise<string> {
  const { ca, serverKey: key, serverCertificate: cert } = ours;
  const options = { key, cert, ca, requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, async (request, response) => {
    const client = String((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    if (request.url === '/mcp') return answerAsMcpServer(request, response, client);
    const answers: Readonly<Record<string, object>> = {
      '/api.json': { openapi: '3.0.0', paths: { '/pets': { get: { operationId: 'list' } } } },
      '/card.json': { url: '/agent', preferredTransport: 'JSONRPC' },
      '/agent': { jsonrpc: '2.0', id: 1, result: { client } },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? ''] ?? { client }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answerAsMcpServer(request: IncomingMessage, response: ServerResponse, client: string): Promise<void> {
  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'test', version: '1' });
    mcp.registerTool('greet', {}, async () => ({ content: [{ type: 'text', text: `hello ${client}` }] }));
    return mcp;
  });
  const { method = 'POST', headers } = request;
  const body = await text(request);
  const given = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const sent = new Request('https://localhost/mcp', { method, headers: given, ...(body === '' ? {} : { body }) });
  const answer = await handler.fetch(sent);
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}

function sender(secret: string, hosts: readonly string[] | null = null) {
  const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'], ca: ours.ca });
  onTestFinished(() => fetch.close());
  const files = { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) };
  const resolveSecrets = async () => new Map([['client', { value: secret, hosts }]]);
  return createHttpExchange({ fetch, resolveSecrets, files });
}
const runner = (secret: string, hosts?: readonly string[]) => createHttpTask(sender(secret, hosts));

const authentication = { scheme: 'certificate', secret: 'client' } as const;
const task = (endpoint: string, over: Partial<HttpTask> = {}): HttpTask => ({
  kind: 'http',
  method: 'GET',
  endpoint,
  headers: {},
  query: {},
  body: undefined,
  output: 'content',
  redirect: false,
  authentication,
  ...over,
});
const context = () => taskContext({ secretNames: ['client'] });

test('a secret is PEM with the certificate and its key, or JSON with an encrypted key and an authority', async () => {
  const url = await startServer();
  expect(await runner(pem())(task(url), context())).toEqual({ client: 'client' });
  const { clientCertificate: certificate, ca } = ours;
  const json = { certificate, key: encryptedKey(), passphrase: PASSPHRASE, ca };
  expect(await runner(JSON.stringify(json))(task(url), context())).toEqual({ client: 'client' });
  // Its own authority replaces that of the installation.
  const wrong = runner(JSON.stringify({ certificate, key: ours.clientKey, ca: strangers.ca }));
  await expect(wrong(task(url), context())).rejects.toMatchObject({
    error: {
      status: 502,
      detail: expect.stringMatching(/the TLS certificate is signed by an authority that is not trusted \(.+\)$/),
    },
  });
});

test('another task does not share the connection that a certificate opened', async () => {
  const url = await startServer();
  const run = runner(pem());
  const { authentication: _none, ...plain } = task(url);
  expect(await run(task(url), context())).toEqual({ client: 'client' });
  await expect(run(plain, context())).rejects.toMatchObject({
    error: { status: 401, detail: expect.stringContaining('the server requires a client certificate') },
  });
});

test('sends the certificate with documents and requests of other calls', async () => {
  const url = await startServer();
  const send = sender(pem());
  const http = createHttpTask(send);
  const documents = createDocuments({ http });
  const given = { output: 'content', redirect: false, parameters: {}, authentication } as const;
  const document = { endpoint: `${url}/api.json`, authentication };
  const openapi = createOpenApiTask({ http, documents });
  expect(await openapi({ kind: 'openapi', document, operationId: 'list', ...given }, context())).toEqual({
    client: 'client',
  });
  const agentCard = { endpoint: `${url}/card.json`, authentication };
  const a2a = createA2aTask({ send, documents });
  expect(await a2a({ kind: 'a2a', agentCard, method: 'tasks/get', parameters: {} }, context())).toEqual({
    client: 'client',
  });
});

test('sends the certificate with the session of an MCP server', async () => {
  const sessions = createSessionPool<McpSession>();
  onTestFinished(() => sessions.close());
  const run = createMcpTask(
    { send: sender(pem()), resolveSecrets: async () => new Map(), sessions, programs: sessions },
    { allowed: false },
  );
  const call = {
    kind: 'mcp',
    server: { endpoint: `${await startServer()}/mcp`, authentication },
    headers: {},
    method: 'tools/call',
    parameters: { name: 'greet' },
    client: { name: 'trapline', version: '1' },
  } as const;
  expect(await run(call, context())).toMatchObject({ content: [{ text: 'hello client' }] });
});

test('a server that rejects the certificate is an error of authentication', async () => {
  const options = ['s_server', '-accept', '127.0.0.1:0', '-www', '-Verify', '1', '-verify_return_error'];
  const files = ['-CAfile', 'ca.crt', '-cert', 'server.crt', '-key', 'server.key'];
  const server = spawn('openssl', [...options, ...files], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void server.kill());
  let port: string | undefined;
  for await (const line of createInterface(server.stdout)) {
    port = /^ACCEPT .*:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) break;
  }
  const run = runner(strangers.clientCertificate + strangers.clientKey);
  await expect(run(task(`https://127.0.0.1:${port}`), context())).rejects.toMatchObject({
    error: {
      type: expect.stringContaining('authentication'),
      status: 401,
      detail: expect.stringContaining('the server refused the client certificate (ERR_SSL_'),
    },
  });
});

test.each<[string, string, string[], object]>([
  ['to another host than its owner chose', 'https://127.0.0.1:1', ['other.example.org'], { status: 403 }],
  [
    'without TLS',
    'http://127.0.0.1:1',
    ['http://127.0.0.1'],
    { status: 400, detail: 'a client certificate needs a connection with TLS' },
  ],
])('does not send the certificate %s', async (_name, url, hosts, error) => {
  await expect(runner(pem(), hosts)(task(url), context())).rejects.toMatchObject({ error });
});

test('a secret without a certificate fails the task before a connection', async () => {
  const failed = runner('not PEM')(task('https://127.0.0.1:1'), context());
  await expect(failed).rejects.toMatchObject({
    error: {
      type: expect.stringContaining('configuration'),
      status: 400,
      detail: 'the secret client: it has no certificate in PEM',
    },
  });
});

describe('a secret is rejected', () => {
  const json = (parts: Readonly<Record<string, JsonValue>>) => JSON.stringify(parts);
  const read = (secret: string, now = Date.now()) => readClientCertificate(secret, now, (detail) => new Error(detail));

  test.each<[string, () => string, string]>([
    ['without a key', () => ours.clientCertificate, 'it has no private key in PEM'],
    ['with two keys', () => pem() + strangers.clientKey, 'it has several private keys'],
    ['with the key of another certificate', () => ours.clientCertificate + strangers.clientKey, 'does not belong'],
    ['with the issuer first', () => ours.ca + pem(), 'the client comes before its issuers'],
    [
      'with an encrypted key without its passphrase',
      () => ours.clientCertificate + encryptedKey(),
      'the private key is encrypted: JSON with `passphrase` is needed',
    ],
    [
      'with a wrong passphrase',
      () => json({ certificate: ours.clientCertificate, key: encryptedKey(), passphrase: 'wrong' }),
      'the passphrase does not decrypt the private key',
    ],
    ['that was cut off', () => pem().replace(/\n.{20}/, '\n'), 'certificate 1 cannot be read'],
    ['whose key was cut off', () => pem().replace(/(KEY-----\n).{20}/, '$1'), 'the private key cannot be read'],
    ['that is not JSON', () => '{', 'it is neither PEM nor JSON'],
    ['with an unknown property', () => json({ certificate: pem(), key: pem(), password: 'x' }), 'unknown property'],
    ['with a part of another type', () => json({ certificate: pem(), key: 1 }), '`key` must be a string in PEM'],
    ['with an empty authority', () => json({ certificate: pem(), key: pem(), ca: 'x' }), '`ca` has no certificate'],
  ])('%s', (_name, secret, message) => {
    expect(() => read(secret())).toThrow(message);
  });

  test('outside its time', () => {
    const { validFromDate, validToDate } = new X509Certificate(ours.clientCertificate);
    expect(() => read(pem(), validToDate.getTime() + 1)).toThrow(
      `the certificate expired at ${validToDate.toISOString()}`,
    );
    expect(() => read(pem(), validFromDate.getTime() - 1)).toThrow('the certificate is not valid before');
  });
});
