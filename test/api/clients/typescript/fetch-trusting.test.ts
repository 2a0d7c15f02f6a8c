import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '#api/clients/typescript/src/client.ts';
import { ServiceConnectionError } from '#api/clients/typescript/src/errors.ts';
import { fetchTrusting } from '#api/clients/typescript/src/node.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';

test('a client trusts only the given certificate authority', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-trust-'));
  const { ca, serverKey, serverCertificate } = await makeCertificates(folder);
  const server = createServer({ key: serverKey, cert: serverCertificate }, async (request, response) => {
    let size = 0;
    for await (const piece of request) size += (piece as Buffer).length;
    response.setHeader('content-type', 'application/json');
    response.setHeader('etag', '"v1"');
    if (request.method === 'DELETE') response.writeHead(204).end();
    else response.end(JSON.stringify({ method: request.method, size, type: request.headers['content-type'] ?? null }));
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { apiKey: 'a.b', baseUrl, maxRetries: 0 };
    const trusting = createClient({ ...options, fetch: fetchTrusting({ ca }) });
    expect(await trusting.cases.get('case_1')).toMatchObject({ method: 'GET', size: 0, etag: '"v1"' });
    const uploaded = await trusting.cases.files.add('case_1', new File(['x'.repeat(100_000)], 'core'));
    expect(uploaded).toMatchObject({ method: 'POST', type: expect.stringMatching(/^multipart\/form-data; boundary=/) });
    expect(uploaded.size).toBeGreaterThan(100_000);
    await trusting.secrets.delete('token');
    await expect(createClient(options).cases.get('case_1')).rejects.toBeInstanceOf(ServiceConnectionError);
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(trusting.cases.get('case_1', { signal: stop.signal })).rejects.toThrow('enough');
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
});
