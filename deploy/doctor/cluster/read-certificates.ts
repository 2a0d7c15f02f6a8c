import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { hostUrls } from '#api/postgres/hosts.ts';
import type { Config } from '../../config.ts';
import type { Certificate } from './judge-certificates.ts';

export interface TlsAddress {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** True for PostgreSQL, which starts TLS within its own protocol. */
  readonly postgres: boolean;
}

const TIMEOUT_MS = 5_000;
/** SSLRequest of PostgreSQL's protocol: length 8, code 80877103. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Returns the configured addresses that use TLS. */
export function tlsAddresses(
  config: Pick<Config, 'clickhouse' | 'postgres' | 'redis' | 'kafka' | 'registry' | 's3' | 'platform'>,
): TlsAddress[] {
  const { clickhouse, postgres, redis, kafka, registry, s3, platform } = config;
  const urls: readonly (readonly [string, string | undefined, number])[] = [
    ...clickhouse.urls.map((url) => ['CLICKHOUSE_URL', url, 8443] as const),
    ...(redis?.urls ?? []).map((url) => ['REDIS_URL', url, 6379] as const),
    ['SCHEMA_REGISTRY_URL', registry?.url, 443],
    ['S3_ENDPOINT', s3?.endpoint, 443],
    ['AUTH_URL', platform.url, 443],
  ];
  const addresses = urls.flatMap(([setting, text, port]): TlsAddress[] => {
    if (text === undefined || !/^(?:https|rediss):/.test(text)) return [];
    const url = new URL(text);
    // URL omits the default port of a scheme.
    const given = url.port === '' ? (url.protocol === 'https:' ? 443 : port) : Number(url.port);
    return [{ name: `${setting} (${url.host})`, host: url.hostname, port: given, postgres: false }];
  });
  const postgresUris = [
    ['DATABASE_URL', postgres.url],
    ...(postgres.pooled ? [['DATABASE_DIRECT_URL', postgres.directUrl] as const] : []),
    ['DATABASE_REPLICA_URL', postgres.replicaUrl],
  ] as const;
  for (const [setting, uri] of postgresUris)
    for (const url of uri === undefined ? [] : hostUrls(uri).map((one) => new URL(one))) {
      const mode = url.searchParams.get('sslmode');
      if (mode === null || mode === 'disable' || url.hostname === '') continue;
      const port = Number(url.port || 5432);
      addresses.push({ name: `${setting} (${url.host})`, host: url.hostname, port, postgres: true });
    }
  if (kafka?.tls !== undefined)
    for (const broker of kafka.brokers) {
      const [host = '', port] = broker.split(/:(?=\d+$)/);
      addresses.push({ name: `KAFKA_BROKERS (${broker})`, host, port: Number(port ?? 9092), postgres: false });
    }
  return addresses;
}

/** Reads the certificates of the addresses and files. `unread` lists those that cannot be read, with the reason. */
export async function readCertificates(
  addresses: readonly TlsAddress[],
  files: readonly (readonly [setting: string, file: string | undefined])[],
): Promise<{ readonly certificates: readonly Certificate[]; readonly unread: readonly string[] }> {
  const reads = [
    ...addresses.map((address) => ({ name: address.name, read: async () => [await certificateOf(address)] })),
    ...files.flatMap(([setting, file]) =>
      file === undefined ? [] : [{ name: setting, read: () => certificatesIn(setting, file) }],
    ),
  ];
  const certificates: Certificate[] = [];
  const unread: string[] = [];
  await Promise.all(
    reads.map(async ({ name, read }) => {
      await read().then(
        (found) => certificates.push(...found),
        (error: Error) => unread.push(`${name}: ${error.message}`),
      );
    }),
  );
  return { certificates, unread };
}

/** Reads a certificate regardless of trust. Trust is checked where the connection is used. */
async function certificateOf({ name, host, port, postgres }: TlsAddress): Promise<Certificate> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const address = host.replace(/^\[|\]$/g, '');
  const socket = connect({ host: address, port, signal });
  let secured: TLSSocket | undefined;
  try {
    await once(socket, 'connect', { signal });
    if (postgres) await requestTls(socket, signal);
    const servername = isIP(address) === 0 ? address : undefined;
    secured = connectTls({ socket, rejectUnauthorized: false, ...(servername === undefined ? {} : { servername }) });
    await once(secured, 'secureConnect', { signal });
    const certificate = secured.getPeerX509Certificate();
    if (certificate === undefined) throw new Error('no certificate');
    return { name, validFrom: certificate.validFromDate, validTo: certificate.validToDate };
  } finally {
    secured?.on('error', () => {}).destroy();
    socket.on('error', () => {}).destroy();
  }
}

async function requestTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(SSL_REQUEST);
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
  socket.pause();
  if (answer.toString('latin1') !== 'S') throw new Error('the server does not offer TLS');
}

async function certificatesIn(setting: string, file: string): Promise<Certificate[]> {
  const text = await readFile(file, 'utf8');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no certificate is in the file');
  return blocks.map((block) => {
    const { validFromDate, validToDate } = new X509Certificate(block);
    return { name: `${setting} (${file})`, validFrom: validFromDate, validTo: validToDate };
  });
}
