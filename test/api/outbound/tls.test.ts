import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { type Certificates, makeCertificates } from '../../support/services/certificates.ts';

let folder: string;
let certificates: Certificates;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trapline-outbound-'));
  certificates = await makeCertificates(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Responds with the server name that the client requested. Its certificate is for localhost and 127.0.0.1. */
async function startSecureServer(): Promise<number> {
  const server = createServer(
    { key: certificates.serverKey, cert: certificates.serverCertificate },
    (request, response) => response.end(String((request.socket as TLSSocket).servername)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function outbound() {
  const fetch = createOutboundFetch({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'], ca: certificates.ca });
  onTestFinished(() => fetch.close());
  return fetch;
}

test('verifies the certificate against the name, though it connects to a resolved address', async () => {
  const port = await startSecureServer();
  const response = await outbound()({ url: `https://localhost.:${port}/` });
  expect(response.body.toString()).toBe('localhost');
});

test('rejects a server with the certificate of another name', async () => {
  const port = await startSecureServer();
  await expect(outbound()({ url: `https://other.example:${port}/` })).rejects.toMatchObject({
    reason: 'untrusted_server',
    message:
      'cannot connect to the server: the TLS certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
  });
});

test('verifies an address against the addresses of the certificate, without a server name', async () => {
  const port = await startSecureServer();
  const response = await outbound()({ url: `https://127.0.0.1:${port}/` });
  expect(response.body.toString()).toBe('false');
});
