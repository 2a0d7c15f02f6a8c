import type { z } from 'zod';
import type { SETTING_SHAPE } from './setting-groups.ts';

type Settings = z.output<z.ZodObject<typeof SETTING_SHAPE>>;

/** A condition on several settings. */
export interface SettingCombination {
  /** The setting named in the error. */
  readonly name: keyof Settings;
  readonly holds: (settings: Settings) => boolean;
  readonly message: string;
}

/**
 * Conditions on several settings. All of them are checked even if a single setting is invalid, so that a start reports
 * every error.
 */
export const SETTING_COMBINATIONS: readonly SettingCombination[] = [
  {
    name: 'KAFKA_SASL_MECHANISM',
    holds: (s) =>
      s.KAFKA_SASL_MECHANISM === undefined || (s.KAFKA_USERNAME !== undefined && s.KAFKA_PASSWORD !== undefined),
    message: 'needs KAFKA_USERNAME and KAFKA_PASSWORD',
  },
  {
    name: 'KAFKA_USERNAME',
    holds: (s) =>
      s.KAFKA_SASL_MECHANISM !== undefined || (s.KAFKA_USERNAME === undefined && s.KAFKA_PASSWORD === undefined),
    message: 'a Kafka user or password needs KAFKA_SASL_MECHANISM',
  },
  together('KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'),
  together('TRAPLINE_TLS_CERT_FILE', 'TRAPLINE_TLS_KEY_FILE'),
  {
    name: 'KAFKA_TLS_ENABLED',
    holds: (s) => !(s.KAFKA_TLS_ENABLED === false && (s.KAFKA_TLS_CA_FILE ?? s.KAFKA_TLS_CERT_FILE) !== undefined),
    message: 'is false, but TLS files are given: set it to true, or remove the files',
  },
  {
    name: 'CLICKHOUSE_URL',
    holds: (s) => s.CLICKHOUSE_CLUSTER !== undefined || !/[,;]/.test(s.CLICKHOUSE_URL ?? ''),
    message: 'several URLs are replicas and shards of a cluster and need CLICKHOUSE_CLUSTER',
  },
  {
    name: 'CLICKHOUSE_CLUSTER',
    holds: (s) => s.CLICKHOUSE_CLUSTER === undefined || s.CLICKHOUSE_URL !== undefined,
    message: 'needs CLICKHOUSE_URL with the URLs of the replicas',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    holds: (s) => s.DATABASE_DIRECT_URL === undefined || s.DATABASE_URL !== undefined,
    message: 'needs DATABASE_URL, which leads to the pooler',
  },
  {
    name: 'DATABASE_REPLICA_URL',
    holds: (s) => s.DATABASE_REPLICA_URL === undefined || (s.DATABASE_URL !== undefined && s.REDIS_URL !== undefined),
    message: 'needs DATABASE_URL, and REDIS_URL, where processes note who has written lately',
  },
  {
    name: 'CLICKHOUSE_CLOUD',
    holds: (s) => !s.CLICKHOUSE_CLOUD || (s.CLICKHOUSE_URL !== undefined && s.CLICKHOUSE_CLUSTER === undefined),
    message: 'needs CLICKHOUSE_URL with the address of the service, and no CLICKHOUSE_CLUSTER',
  },
  {
    name: 'REDIS_URL',
    holds: (s) => s.REDIS_CLUSTER || s.REDIS_SENTINEL_NAME !== undefined || s.REDIS_URL?.includes(',') !== true,
    message: 'several URLs need REDIS_SENTINEL_NAME or REDIS_CLUSTER; a comma in a password is written %2C',
  },
  {
    name: 'REDIS_SENTINEL_NAME',
    holds: (s) => !(s.REDIS_CLUSTER && s.REDIS_SENTINEL_NAME !== undefined),
    message: 'a Redis Cluster has no Sentinels: set REDIS_CLUSTER or REDIS_SENTINEL_NAME',
  },
  {
    name: 'REDIS_URL',
    holds: (s) => s.REDIS_URL !== undefined || !(s.REDIS_CLUSTER || s.REDIS_SENTINEL_NAME !== undefined),
    message: 'REDIS_SENTINEL_NAME and REDIS_CLUSTER need the URLs of the Sentinels or nodes',
  },
  {
    name: 'REDIS_URL',
    holds: (s) => !s.REDIS_CLUSTER || !s.REDIS_URL?.split(',').some((one) => /^\/[1-9]/.test(new URL(one).pathname)),
    message: 'a Redis Cluster has only database 0',
  },
  together('IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'),
  together('CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'),
  together('EMAIL_USER', 'EMAIL_PASS'),
  {
    name: 'S3_BUCKET',
    holds: (s) =>
      s.S3_BUCKET === undefined ||
      (s.S3_REGION !== undefined && s.S3_ACCESS_KEY_ID !== undefined && s.S3_SECRET_ACCESS_KEY !== undefined),
    message: 'needs S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  },
  {
    name: 'IDP_ISSUER',
    holds: (s) => s.IDP_CLIENT_ID === undefined || s.IDP_ISSUER !== undefined,
    message: 'must be set, because IDP_CLIENT_ID is set',
  },
];

function together(one: keyof Settings, other: keyof Settings): SettingCombination {
  return {
    name: one,
    holds: (s) => (s[one] === undefined) === (s[other] === undefined),
    message: `must be set together with ${other}`,
  };
}
