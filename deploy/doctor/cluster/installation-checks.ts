import { createDatabase } from '#api/postgres/database.ts';
import { listProcessReports, type ReportedProcess } from '#api/telemetry/processes/process-reports.ts';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { Config } from '../../config.ts';
import { kafkaConnection } from '../../processes/kafka-connection.ts';
import { topicNames } from '../../processes/topic-names.ts';
import { type Check, type Finding, look } from '../check.ts';
import { judgeCertificates } from './judge-certificates.ts';
import { judgeLag } from './judge-lag.ts';
import { judgeClocks, judgeDisks, judgeProcesses, judgeSecrets, judgeVersions } from './judge-processes.ts';
import { readCertificates, tlsAddresses } from './read-certificates.ts';

/**
 * Additional checks of `doctor --cluster`: all processes by their reports in PostgreSQL, lag per partition, and
 * certificates.
 */
export function installationChecks(config: Config): Check[] {
  const byReports: readonly (readonly [string, (reports: readonly ReportedProcess[]) => Finding | Promise<Finding>])[] =
    [
      ['processes', judgeProcesses],
      ['versions of processes', async (reports) => judgeVersions(reports, PRODUCT_VERSION)],
      ['clocks of processes', judgeClocks],
      ['secrets of processes', judgeSecrets],
      ['disks of processes', judgeDisks],
    ];
  const reports = lazily(() => readReports(config));
  return [
    ...byReports.map(
      ([name, judge]): Check => ({
        name,
        advice: 'check DATABASE_URL',
        run: async () => {
          const found = await reports();
          return found === undefined
            ? look('unknown', 'the processes of a cluster report to PostgreSQL: set DATABASE_URL')
            : judge(found);
        },
      }),
    ),
    ...lagChecks(config),
    { name: 'TLS certificates', advice: '', run: () => checkCertificates(config) },
  ];
}

/** Returns undefined without a PostgreSQL server, which processes share. */
async function readReports({ postgres: { directUrl: url } }: Config): Promise<readonly ReportedProcess[] | undefined> {
  if (url === undefined) return undefined;
  const database = createDatabase({ url, connections: 1, statementTimeoutMs: 5_000 });
  try {
    return await listProcessReports(database);
  } finally {
    await database.destroy();
  }
}

function lagChecks(config: Config): Check[] {
  const { kafka } = config;
  if (kafka === undefined) return [];
  const silent = () => {};
  return [
    {
      name: 'Kafka lag by partition',
      advice: 'check KAFKA_BROKERS, and run `trapline migrate`',
      run: async () => {
        const log = { debug: silent, info: silent, warn: silent, error: silent };
        const admin = createKafkaAdmin({ log }, await kafkaConnection(kafka));
        try {
          return judgeLag(await admin.offsets(topicNames(config).events, kafka.groupId));
        } finally {
          await admin.close();
        }
      },
    },
  ];
}

async function checkCertificates(config: Config): Promise<Finding> {
  const tls = config.kafka?.tls;
  const { certificates, unread } = await readCertificates(tlsAddresses(config), [
    ['KAFKA_TLS_CA_FILE', tls?.caFile],
    ['KAFKA_TLS_CERT_FILE', tls?.certFile],
    ['REDIS_TLS_CA_FILE', config.redis?.caFile],
    ['TRAPLINE_TLS_CERT_FILE', config.http.tls?.certFile],
  ]);
  return judgeCertificates(certificates, unread, new Date());
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
