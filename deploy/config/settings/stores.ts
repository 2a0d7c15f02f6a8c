import { z } from 'zod';
import { brokers, postgresUrlWithPassword, secret, text, truth, url, urlGroups, urls } from '../values.ts';

/** Kafka, the schema registry, ClickHouse, PostgreSQL, Redis and the object store. Without the URL of a store, its embedded engine is used. */
export const storesSettings = {
  KAFKA_BROKERS: brokers.optional().describe('Kafka brokers, host:port joined by commas'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional()
    .describe('how to sign in to Kafka: plain, scram-sha-256, scram-sha-512'),
  KAFKA_USERNAME: text.optional().describe('Kafka user'),
  KAFKA_PASSWORD: secret().optional().describe('password of the Kafka user'),
  KAFKA_TLS_ENABLED: truth.optional().describe('use TLS for Kafka; also on when one of the KAFKA_TLS files is set'),
  KAFKA_TLS_CA_FILE: text
    .optional()
    .describe("certificates of authorities that may sign the brokers' certificates, PEM"),
  KAFKA_TLS_CERT_FILE: text.optional().describe('client certificate for Kafka, PEM'),
  KAFKA_TLS_KEY_FILE: text.optional().describe('private key of the client certificate for Kafka, PEM'),
  KAFKA_TLS_SERVER_NAME: text.optional().describe("name expected in the brokers' certificates, if not their host name"),
  SCHEMA_REGISTRY_URL: url('http', 'https').optional().describe('Confluent-compatible schema registry'),
  SCHEMA_REGISTRY_USER: text.optional().describe('user of the schema registry'),
  SCHEMA_REGISTRY_PASSWORD: secret().optional().describe('password of SCHEMA_REGISTRY_USER'),
  CLICKHOUSE_URL: urlGroups('http', 'https')
    .optional()
    .describe(
      'HTTP interface of ClickHouse; with CLICKHOUSE_CLUSTER the addresses of all replicas, joined by commas, and shards joined by semicolons; not set: `start` runs the embedded engine',
    ),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be letters, digits, dots, dashes and underscores')
    .optional()
    .describe(
      'name of a ClickHouse cluster (`remote_servers`): tables are replicated, and events are spread over its shards; not set: one server',
    ),
  CLICKHOUSE_CLOUD: truth
    .default(false)
    .describe('CLICKHOUSE_URL is a service of ClickHouse Cloud (SharedMergeTree): reads wait for acknowledged inserts'),
  CLICKHOUSE_USER: text.default('default').describe('ClickHouse user'),
  CLICKHOUSE_PASSWORD: secret().optional().describe('password of the ClickHouse user'),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_]\w{0,62}$/, 'must be letters, digits and underscores')
    .default('trapline')
    .describe('database of the tables'),
  DATABASE_URL: postgresUrlWithPassword()
    .optional()
    .describe(
      'PostgreSQL for accounts, keys, audit and jobs; with several hosts (postgres://user:password@a:5432,b:5432/name), the host that accepts writes is used; not set: `start` runs the embedded engine',
    ),
  DATABASE_DIRECT_URL: postgresUrlWithPassword()
    .optional()
    .describe(
      'the PostgreSQL server itself, for migrations, backups and notifications, if DATABASE_URL names a pooler such as PgBouncer; not set: there is no pooler',
    ),
  DATABASE_REPLICA_URL: postgresUrlWithPassword()
    .optional()
    .describe('a standby of DATABASE_URL for lists, which may then be 5 seconds old; needs REDIS_URL'),
  REDIS_URL: urls('redis', 'rediss')
    .meta({ file: true })
    .optional()
    .describe(
      'Redis for limits, caches and the live feed; several joined by commas: Sentinels or nodes of a cluster; not set: the memory of the process',
    ),
  REDIS_SENTINEL_NAME: text
    .optional()
    .describe('name of the primary at the Sentinels that REDIS_URL names; its account and database are those of Redis'),
  REDIS_SENTINEL_USER: text.optional().describe('user of the Sentinels, if they have their own'),
  REDIS_SENTINEL_PASSWORD: secret().optional().describe('password of the Sentinels, if they have their own'),
  REDIS_CLUSTER: truth.default(false).describe('REDIS_URL names nodes of a Redis Cluster'),
  REDIS_TLS_CA_FILE: text
    .optional()
    .describe("certificates of authorities that may sign Redis' certificates, PEM; for rediss://"),
  S3_ENDPOINT: url('http', 'https')
    .optional()
    .describe(
      'address of the S3-compatible object store for files and large payloads; not set: that of AWS in S3_REGION',
    ),
  S3_REGION: text.optional().describe('region of the object store'),
  S3_BUCKET: text.optional().describe('bucket of the object store; not set: files are kept in the data directory'),
  S3_ACCESS_KEY_ID: text.optional().describe('access key of the object store'),
  S3_SECRET_ACCESS_KEY: secret().optional().describe('secret of S3_ACCESS_KEY_ID'),
};
