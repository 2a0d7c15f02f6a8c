import { dockerAnswers } from '../install-services.mjs';
import { type ClickHouseService, startClickHouse } from './clickhouse.ts';
import { type ClickHouseTemplate, createClickHouseTemplate } from './clickhouse-template.ts';
import { type KafkaService, startKafkaBroker } from './kafka-broker.ts';
import { type PostgresService, startPostgres, WITHOUT_DISK } from './postgres.ts';
import { createPostgresTemplate, type PostgresTemplate } from './postgres-template.ts';
import { type RedisService, startRedis } from './redis.ts';
import { type SchemaRegistryService, startSchemaRegistry } from './schema-registry.ts';

/** Services that a run can request, by name. */
export interface ServiceTypes {
  readonly kafka: KafkaService;
  readonly schemaRegistry: SchemaRegistryService;
  readonly clickHouse: ClickHouseService;
  readonly clickHouseTemplate: ClickHouseTemplate;
  readonly postgres: PostgresService;
  readonly postgresTemplate: PostgresTemplate;
  readonly redis: RedisService;
}
export type ServiceName = keyof ServiceTypes;
export const SERVICE_NAMES = [
  'kafka',
  'schemaRegistry',
  'clickHouse',
  'clickHouseTemplate',
  'postgres',
  'postgresTemplate',
  'redis',
] as const satisfies readonly ServiceName[];

/** Services that are templates for copies. They contain the current migrations of the sources. */
export const TEMPLATES: readonly ServiceName[] = ['clickHouseTemplate', 'postgresTemplate'];

/** The services of one run. Each is started at most once, at the first call. */
export interface Services {
  get<N extends ServiceName>(name: N): Promise<ServiceTypes[N]>;
  /** Ends the services that this object started. */
  stop(): Promise<void>;
}

type Started<N extends ServiceName> = ServiceTypes[N] & { stop?(): Promise<void> };
type Starters = { [N in ServiceName]: () => Promise<Started<N>> };

/**
 * Creates the services. Each uses the first available source: its URL in the environment (TEST_KAFKA_BROKERS,
 * TEST_SCHEMA_REGISTRY_URL, TEST_CLICKHOUSE_URL with TEST_CLICKHOUSE_USER and TEST_CLICKHOUSE_PASSWORD,
 * TEST_DATABASE_URL, TEST_REDIS_URL), a container if a Docker engine responds, or a local process. `forBenchmarks`:
 * processes start more slowly and run faster.
 */
export function createServices(env: NodeJS.ProcessEnv = process.env, { forBenchmarks = false } = {}): Services {
  const docker = lazily(() => dockerAnswers(env));
  // Loaded only if an engine responds, because loading the package takes a second.
  const containers = lazily(() => import('./containers.ts'));
  const starters: Starters = {
    async kafka() {
      if (env.TEST_KAFKA_BROKERS) return { brokers: env.TEST_KAFKA_BROKERS.split(',') };
      return (await docker())
        ? (await containers()).startKafkaContainer()
        : startKafkaBroker({ secured: true, optimizing: forBenchmarks });
    },
    async schemaRegistry() {
      if (env.TEST_SCHEMA_REGISTRY_URL) return { url: env.TEST_SCHEMA_REGISTRY_URL };
      return (await docker()) ? (await containers()).startSchemaRegistryContainer() : startSchemaRegistry();
    },
    async clickHouse() {
      if (env.TEST_CLICKHOUSE_URL) {
        const { TEST_CLICKHOUSE_USER: user = 'default', TEST_CLICKHOUSE_PASSWORD: password = '' } = env;
        return { url: env.TEST_CLICKHOUSE_URL, user, password };
      }
      // Without a relay, which would copy each query result. No test kills this server.
      return (await docker()) ? (await containers()).startClickHouseContainer() : startClickHouse({ direct: true });
    },
    async clickHouseTemplate() {
      return createClickHouseTemplate(await services.get('clickHouse'));
    },
    async postgres() {
      if (env.TEST_DATABASE_URL) return { url: env.TEST_DATABASE_URL };
      return (await docker()) ? (await containers()).startPostgresContainer() : startPostgres(WITHOUT_DISK);
    },
    async postgresTemplate() {
      const { url } = await services.get('postgres');
      return createPostgresTemplate(url);
    },
    async redis() {
      if (env.TEST_REDIS_URL) return { url: env.TEST_REDIS_URL };
      return (await docker()) ? (await containers()).startRedisContainer() : startRedis();
    },
  };
  const started = new Map<ServiceName, Promise<{ stop?(): Promise<void> }>>();
  const services: Services = {
    get<N extends ServiceName>(name: N) {
      const running = (started.get(name) as Promise<Started<N>> | undefined) ?? starters[name]();
      started.set(name, running);
      return running;
    },
    async stop() {
      const all = [...started.entries()];
      started.clear();
      const end = async ([, service]: (typeof all)[number]) => (await service.catch(() => undefined))?.stop?.();
      const isTemplate = ([name]: (typeof all)[number]) => TEMPLATES.includes(name);
      try {
        // Templates need a running server to end.
        await Promise.all(all.filter(isTemplate).map(end));
      } finally {
        await Promise.all(all.filter((entry) => !isTemplate(entry)).map(end));
      }
    },
  };
  return services;
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
