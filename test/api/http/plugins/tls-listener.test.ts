import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Certificates, makeCertificates } from '#test/support/services/certificates.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY, runApp } from '../../running-app.ts';

let folder: string;
let made: Certificates;
let trusting: Agent;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trapline-tls-'));
  made = await makeCertificates(folder);
  trusting = new Agent({ connect: { ca: made.ca } });
});
afterAll(async () => {
  await trusting.destroy();
  await rm(folder, { recursive: true });
});

/** Runs the app with a copy of the certificate, which the test may replace. */
async function runTls({ maxOfAddress }: { readonly maxOfAddress?: number } = {}) {
  const own = await mkdtemp(join(folder, 'own-'));
  const files = { certFile: join(own, 'tls.crt'), keyFile: join(own, 'tls.key') };
  writeFileSync(files.certFile, made.serverCertificate);
  writeFileSync(files.keyFile, made.serverKey);
  const running = await runApp({
    options: { tls: { ...files, pollMs: 5 }, connections: maxOfAddress === undefined ? {} : { maxOfAddress } },
    prepare: (app) => {
      app.get('/protocol', { config: { access: { by: 'anyone' } } }, async ({ protocol }) => protocol);
    },
  });
  const address = (await running.app.listenTls?.({ host: '127.0.0.1', port: 0 })) as AddressInfo;
  const secure = `https://127.0.0.1:${address.port}`;
  return {
    ...running,
    ...files,
    tlsPort: address.port,
    getTls: (path: string) => fetch(secure + path, { dispatcher: trusting, headers: { 'x-api-key': OPERATOR_KEY } }),
  };
}

test('the same routes are served over TLS and without it', async () => {
  const { get, getTls } = await runTls();
  expect(await (await getTls('/protocol')).text()).toBe('https');
  expect(await (await get('/protocol')).text()).toBe('http');
  const rules = await getTls('/api/rules');
  expect([rules.status, rules.headers.get('strict-transport-security')]).toEqual([
    200,
    'max-age=63072000; includeSubDomains; preload',
  ]);
  expect(await (await getTls('/metrics')).text()).toMatch(
    /^trapline_tls_certificate_expiry_timestamp_seconds \d{10}(\.\d+)?$/m,
  );
});

test('limits of connections count both listeners together, before the handshake', async () => {
  const { tlsPort, port } = await runTls({ maxOfAddress: 3 });
  const open = (to: number) => {
    const socket = connect({ port: to, host: '127.0.0.1', localAddress: '127.0.0.7' });
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const idle = [open(tlsPort), open(port), open(tlsPort)];
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  await once(open(tlsPort).resume(), 'close');
  await once(open(port).resume(), 'close');
  expect(idle.every((socket) => !socket.destroyed)).toBe(true);
});

test('a malformed request over TLS gets the error envelope', async () => {
  const { tlsPort } = await runTls();
  const socket = connectTls({ port: tlsPort, host: '127.0.0.1', ca: made.ca });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nHost a.example\r\n\r\n');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"requestId"/);
});

test('a replaced certificate serves new connections, and open ones continue', async () => {
  const { tlsPort, certFile, keyFile } = await runTls();
  const subject = async () => {
    const socket = connectTls({ port: tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subject: found } = socket.getPeerCertificate();
    return { socket, name: found.CN };
  };
  const before = await subject();
  onTestFinished(() => void before.socket.destroy());
  writeFileSync(certFile, made.clientCertificate);
  writeFileSync(keyFile, made.clientKey);
  await waitFor('the new certificate', async () => {
    const { socket, name } = await subject();
    socket.destroy();
    return name !== before.name;
  });
  before.socket.write('GET /protocol HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
  const chunks: Buffer[] = [];
  for await (const chunk of before.socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*https$/);
});

test('closing the app closes the TLS listener and its idle connections', async () => {
  const { app, tlsPort, getTls } = await runTls();
  await (await getTls('/healthz')).text();
  await app.close();
  const [error] = (await once(connect({ port: tlsPort, host: '127.0.0.1' }), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
