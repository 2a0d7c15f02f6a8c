import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptConfig } from '#deploy/cli/accept-config.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { readCertificates, tlsAddresses } from '#deploy/doctor/cluster/read-certificates.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';

let folder: string;
let server: Server;
let caFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trapline-certificates-'));
  const { ca, serverKey, serverCertificate } = await makeCertificates(folder);
  caFile = join(folder, 'authority.pem');
  await writeFile(caFile, ca);
  server = createServer({ key: serverKey, cert: serverCertificate });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

it('reads the certificates of addresses and files, trusted or not', async () => {
  const { port } = server.address() as AddressInfo;
  const { certificates, unread } = await readCertificates(
    [{ name: 'CLICKHOUSE_URL', host: '127.0.0.1', port, postgres: false }],
    [
      ['KAFKA_TLS_CA_FILE', caFile],
      ['KAFKA_TLS_CERT_FILE', undefined],
    ],
  );
  expect(unread).toEqual([]);
  expect(certificates.map(({ name }) => name).sort()).toEqual(['CLICKHOUSE_URL', `KAFKA_TLS_CA_FILE (${caFile})`]);
  for (const { validFrom, validTo } of certificates) {
    expect(validFrom.getTime()).toBeLessThanOrEqual(Date.now());
    expect(validTo.getTime()).toBeGreaterThan(Date.now());
  }
});

it('reports unreadable certificates with the reason', async () => {
  const missing = join(folder, 'missing.pem');
  const key = join(folder, 'server.key');
  const { certificates, unread } = await readCertificates(
    [{ name: 'REDIS_URL', host: '127.0.0.1', port: 1, postgres: false }],
    [
      ['KAFKA_TLS_CA_FILE', missing],
      ['KAFKA_TLS_CERT_FILE', key],
    ],
  );
  expect(certificates).toEqual([]);
  expect(unread.toSorted()).toEqual([
    expect.stringContaining('KAFKA_TLS_CA_FILE: ENOENT'),
    'KAFKA_TLS_CERT_FILE: no certificate is in the file',
    expect.stringContaining('REDIS_URL: connect ECONNREFUSED'),
  ]);
});

it('finds the TLS addresses of a configuration', () => {
  const { config } = acceptConfig(
    resolveConfig({
      environment: {
        CLICKHOUSE_URL: 'https://clickhouse.example.org',
        DATABASE_URL: 'postgres://user:secret@db.example.org/trapline?sslmode=require',
        REDIS_URL: 'redis://redis.example.org',
        KAFKA_BROKERS: 'one:9093,two:9093',
        KAFKA_TLS_ENABLED: 'true',
      },
    }),
    { servesPlatform: false },
  );
  expect(tlsAddresses(config)).toEqual([
    { name: 'CLICKHOUSE_URL (clickhouse.example.org)', host: 'clickhouse.example.org', port: 443, postgres: false },
    { name: 'DATABASE_URL (db.example.org)', host: 'db.example.org', port: 5432, postgres: true },
    { name: 'KAFKA_BROKERS (one:9093)', host: 'one', port: 9093, postgres: false },
    { name: 'KAFKA_BROKERS (two:9093)', host: 'two', port: 9093, postgres: false },
  ]);
});
