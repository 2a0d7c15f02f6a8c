import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceFiles } from '../install-services.mjs';
import { waitFor } from '../wait-for.ts';
import { makeCertificates } from './certificates.ts';
import { freePorts } from './free-ports.mjs';
import { KAFKA_USER, type KafkaPorts, kafkaProperties } from './kafka-properties.ts';
import { formatStorage } from './kafka-storage.ts';
import { listens } from './listens.mjs';
import { type Restartable, restartable } from './restartable.ts';
import { supervise } from './supervised-process.ts';

/** Addresses of a broker: `brokers` without protection, `secured` with TLS and passwords. */
export interface KafkaService {
  readonly brokers: readonly string[];
  readonly secured?: {
    readonly saslPlaintext: string;
    readonly ssl: string;
    readonly saslSsl: string;
    /** PEM certificate of the authority that signed the broker's certificate. */
    readonly ca: string;
    /** Client certificate of this authority. The `ssl` listener accepts it, or none. */
    readonly client: { readonly certificate: string; readonly key: string };
    readonly username: string;
    readonly password: string;
  };
}

export interface KafkaBrokerOptions {
  /** Data folder, kept at the end. Default: a temporary folder that is deleted. */
  readonly dataDir?: string;
  /** Port of the listener without protection. Default: a free port. */
  readonly port?: number;
  /** The advertised port, for a relay in front of `port`. */
  readonly advertisedPort?: number;
  /** Adds SASL_PLAINTEXT, SSL and SASL_SSL listeners. */
  readonly secured?: boolean;
  /**
   * Enables the optimizing compiler, which costs more than it saves unless millions of records follow. Default: false.
   */
  readonly optimizing?: boolean;
}

/** Starts a single-node Kafka as a local Java process that ends with this one. */
export async function startKafkaBroker(options: KafkaBrokerOptions = {}): Promise<KafkaService & Restartable> {
  const { kafkaJars: jars, kafkaClasses } = serviceFiles();
  if (!existsSync(jars)) throw new Error('Kafka is not installed: run `node test/support/install-services.mjs`');
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trapline-kafka-')));
  const log = join(home, 'log');
  await mkdir(home, { recursive: true });
  const [controller = 0, plain = 0, saslPlain = 0, ssl = 0, saslSsl = 0] = await freePorts(5);
  const plainPort = options.port ?? plain;
  const ports: KafkaPorts = {
    plain: plainPort,
    controller,
    ...(options.secured ? { saslPlain, ssl, saslSsl } : {}),
    ...(options.advertisedPort === undefined ? {} : { advertisedPlain: options.advertisedPort }),
  };
  const [certificates] = await Promise.all([options.secured ? makeCertificates(home) : undefined, formatStorage(log)]);
  const keystore = join(home, 'keystore.pem');
  if (certificates)
    await writeFile(keystore, certificates.serverKey + certificates.serverCertificate + certificates.ca);
  const properties = join(home, 'server.properties');
  await writeFile(properties, kafkaProperties(ports, log, certificates && keystore));
  const logging = fileURLToPath(new URL('./kafka/log4j2.yaml', import.meta.url));
  const launch = async () => {
    const process = supervise({
      command: 'java',
      args: [
        '-Xms128m',
        '-Xmx512m',
        ...(options.optimizing ? ['-XX:+UseG1GC'] : ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']),
        '-XX:-UsePerfData',
        // Java starts without the archive if it is missing or belongs to another Java version.
        ...(existsSync(kafkaClasses) ? [`-XX:SharedArchiveFile=${kafkaClasses}`] : []),
        '-Xlog:cds=off',
        '-Xlog:cds+dynamic=off',
        '-Djava.awt.headless=true',
        `-Dlog4j2.configurationFile=${logging}`,
        '-cp',
        join(jars, '*'),
        'kafka.Kafka',
        properties,
      ],
      logFile: join(home, 'broker.log'),
      ...(options.dataDir === undefined ? { removeAtEnd: home } : {}),
    });
    await waitFor('the broker to listen', async () => !process.running || (await listens(plainPort)), {
      timeoutMs: 110_000,
    });
    if (!process.running) throw new Error(`the broker ended:\n${process.output()}`);
    return process;
  };
  const at = (port: number): string => `127.0.0.1:${port}`;
  const secured = certificates && {
    saslPlaintext: at(saslPlain),
    ssl: at(ssl),
    saslSsl: at(saslSsl),
    ca: certificates.ca,
    client: { certificate: certificates.clientCertificate, key: certificates.clientKey },
    ...KAFKA_USER,
  };
  const control = await restartable(launch, options.dataDir === undefined ? home : undefined);
  return { brokers: [at(plainPort)], ...(secured ? { secured } : {}), ...control };
}
