import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { KAFKA_VERSION, REGISTRY_VERSION } from '../install-services.mjs';
import { waitFor } from '../wait-for.ts';
import { makeCertificates } from './certificates.ts';
import type { ClickHouseService } from './clickhouse.ts';
import { freePorts } from './free-ports.mjs';
import type { KafkaService } from './kafka-broker.ts';
import { KAFKA_USER, kafkaProperties } from './kafka-properties.ts';
import { formatArguments } from './kafka-storage.ts';
import type { PostgresService } from './postgres.ts';
import { administer } from './postgres-template.ts';
import type { RedisService } from './redis.ts';
import type { Restartable } from './restartable.ts';
import type { SchemaRegistryService } from './schema-registry.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Address of the services. Where /.dockerenv exists, testcontainers would otherwise use the address of the engine's
// bridge.
process.env.TESTCONTAINERS_HOST_OVERRIDE ??= '127.0.0.1';

/**
 * Start timeout. Several services start at the same time, and the default of testcontainers, one minute, is too short
 * for a busy machine.
 */
const MAX_START_MS = 180_000;

/**
 * Starts a service as a container, for machines with a Docker engine. Host ports are chosen before the start and stay
 * the same after a restart, because a broker must know its advertised address. The reaper of testcontainers removes the
 * containers of a killed run. `serves` resolves when the service responds; it is awaited after each start.
 */
async function started(container: GenericContainer, serves = async (): Promise<void> => {}): Promise<Restartable> {
  const running = await container.withStartupTimeout(MAX_START_MS).start();
  await serves();
  const { container: client } = await getContainerRuntimeClient();
  const handle = client.getById(running.getId());
  return {
    kill9: () => handle.kill({ signal: 'SIGKILL' }),
    freeze: () => handle.pause(),
    thaw: () => handle.unpause(),
    async restart() {
      await running.restart({ timeout: 10_000 });
      await serves();
    },
    stop: async () => {
      await running.stop();
    },
  };
}

export async function startKafkaContainer(): Promise<KafkaService & Restartable> {
  const [plain = 0, saslPlain = 0, ssl = 0, saslSsl = 0] = await freePorts(4);
  const certificates = await temporaryFolder('certificates', makeCertificates);
  const folder = '/trapline';
  const properties = kafkaProperties(
    { plain, controller: 9093, saslPlain, ssl, saslSsl },
    '/tmp/log',
    `${folder}/keystore.pem`,
    '0.0.0.0',
  );
  const quoted = formatArguments(`${folder}/server.properties`).map((argument) => `'${argument}'`);
  const command = [
    `/opt/kafka/bin/kafka-storage.sh ${quoted.join(' ')} --ignore-formatted`,
    `exec /opt/kafka/bin/kafka-server-start.sh ${folder}/server.properties`,
  ].join(' && ');
  const control = await started(
    new GenericContainer(`apache/kafka:${KAFKA_VERSION}`)
      .withExposedPorts(...[plain, saslPlain, ssl, saslSsl].map((port) => ({ container: port, host: port })))
      .withCopyContentToContainer([
        { content: properties, target: `${folder}/server.properties` },
        {
          content: certificates.serverKey + certificates.serverCertificate + certificates.ca,
          target: `${folder}/keystore.pem`,
        },
      ])
      .withEntrypoint(['sh', '-c'])
      .withCommand([command])
      .withWaitStrategy(Wait.forListeningPorts()),
  );
  const at = (port: number): string => `127.0.0.1:${port}`;
  const secured = {
    saslPlaintext: at(saslPlain),
    ssl: at(ssl),
    saslSsl: at(saslSsl),
    ca: certificates.ca,
    client: { certificate: certificates.clientCertificate, key: certificates.clientKey },
    ...KAFKA_USER,
  };
  return { brokers: [at(plain)], secured, ...control };
}

export async function startSchemaRegistryContainer(): Promise<SchemaRegistryService & Restartable> {
  const [port = 0] = await freePorts(1);
  const path = '/apis/ccompat/v7';
  const control = await started(
    new GenericContainer(`apicurio/apicurio-registry:${REGISTRY_VERSION}`)
      .withExposedPorts({ container: 8080, host: port })
      .withWaitStrategy(Wait.forHttp(`${path}/subjects`, 8080)),
  );
  return { url: `http://127.0.0.1:${port}${path}`, ...control };
}

export async function startClickHouseContainer(): Promise<ClickHouseService & Restartable> {
  const [port = 0] = await freePorts(1);
  const account = { user: 'trapline', password: 'clickhouse-of-the-tests' };
  const control = await started(
    new GenericContainer('clickhouse/clickhouse-server:26.7')
      .withExposedPorts({ container: 8123, host: port })
      .withEnvironment({ CLICKHOUSE_USER: account.user, CLICKHOUSE_PASSWORD: account.password })
      .withWaitStrategy(Wait.forHttp('/ping', 8123)),
  );
  return { url: `http://127.0.0.1:${port}`, ...account, ...control };
}

export async function startPostgresContainer(): Promise<PostgresService & Restartable> {
  const [port = 0] = await freePorts(1);
  const url = `postgres://postgres:postgres-of-the-tests@127.0.0.1:${port}/postgres`;
  const handle = await started(
    new GenericContainer('postgres:17')
      .withEnvironment({ POSTGRES_PASSWORD: 'postgres-of-the-tests' })
      .withExposedPorts({ container: 5432, host: port })
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/)),
    // The message does not suffice: at the first start a setup server, which does not listen on TCP, logs it before the
    // real server does.
    () => waitFor('PostgreSQL to answer', () => administer(url, 'SELECT 1').then(() => true)).then(() => {}),
  );
  return { url, ...handle };
}

export async function startRedisContainer(): Promise<RedisService & Restartable> {
  const [port = 0] = await freePorts(1);
  const handle = await started(
    new GenericContainer('redis:7')
      .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
      .withExposedPorts({ container: 6379, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/)),
  );
  return { url: `redis://127.0.0.1:${port}`, ...handle };
}
