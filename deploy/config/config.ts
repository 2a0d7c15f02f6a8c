import { rolesOfGroups } from './group-roles.ts';
import { parseIdentityProviders } from './identity-providers.ts';
import { readModelPrices } from './model-prices.ts';
import { problemsInProduction } from './production.ts';
import { registrationRule } from './registration.ts';
import type { SettingName, Settings } from './schema.ts';
import { otlpLogsOf, otlpMetricsOf, tracingOf } from './tracing-settings.ts';
import { portsBetween, windowOf } from './values.ts';

/** The settings grouped by component, for the rest of `deploy/`. Frozen. */
export type Config = ReturnType<typeof groupSettings>;

/**
 * Groups the flat settings. An undefined group is a server that is not configured: the embedded engine is used, or no
 * server. Long: a line for each setting.
 */
export function groupSettings(s: Settings, isGiven: (name: SettingName) => boolean) {
  return deepFreeze({
    kafka: kafkaOf(s),
    registry:
      s.SCHEMA_REGISTRY_URL === undefined
        ? undefined
        : {
            url: s.SCHEMA_REGISTRY_URL,
            user: s.SCHEMA_REGISTRY_USER,
            password: s.SCHEMA_REGISTRY_PASSWORD,
          },
    clickhouse: {
      /** If undefined, the embedded engine is used. */
      url: s.CLICKHOUSE_URL?.split(/[,;]/)[0],
      urls: s.CLICKHOUSE_URL?.split(/[,;]/) ?? [],
      /** The same addresses by shard, home shard first. */
      shards: s.CLICKHOUSE_URL?.split(';').map((replicas) => replicas.split(',')) ?? [],
      /** If set, `shards` are those of this cluster. */
      cluster: s.CLICKHOUSE_CLUSTER,
      /** True if the address is a service of ClickHouse Cloud. */
      cloud: s.CLICKHOUSE_CLOUD,
      user: s.CLICKHOUSE_USER,
      password: s.CLICKHOUSE_PASSWORD,
      database: s.CLICKHOUSE_DATABASE,
    },
    http: {
      host: s.HOST,
      port: s.PORT,
      isPortGiven: isGiven('PORT'),
      drainMs: s.TRAPLINE_DRAIN_SECONDS * 1_000,
      /** Undefined: no HTTPS. */
      tls:
        s.TRAPLINE_TLS_CERT_FILE !== undefined && s.TRAPLINE_TLS_KEY_FILE !== undefined
          ? {
              host: s.TRAPLINE_TLS_HOST,
              port: s.TRAPLINE_TLS_PORT,
              certFile: s.TRAPLINE_TLS_CERT_FILE,
              keyFile: s.TRAPLINE_TLS_KEY_FILE,
            }
          : undefined,
    },
    httpLimits: {
      requestEvents: s.TRAPLINE_MAX_REQUEST_EVENTS,
      connections: s.TRAPLINE_MAX_CONNECTIONS,
      connectionsOfAddress: s.TRAPLINE_MAX_CONNECTIONS_PER_ADDRESS,
      uploadBytesPerSecond: s.TRAPLINE_MIN_UPLOAD_RATE,
    },
    ...logOf(s),
    dataDir: s.TRAPLINE_DATA_DIR,
    /** If undefined, one is stored in the data directory. */
    seat: s.TRAPLINE_SEAT,
    diskLowPercent: s.TRAPLINE_DISK_LOW_PERCENT,
    engineMemoryBytes: s.TRAPLINE_ENGINE_MEMORY,
    engineIsolation: s.TRAPLINE_ENGINE_ISOLATION,
    topicPrefix: s.TRAPLINE_TOPIC_PREFIX ?? '',
    pipeline: {
      batchRows: s.TRAPLINE_BATCH_ROWS,
      batchBytes: s.TRAPLINE_BATCH_BYTES,
      batchAgeMs: s.TRAPLINE_BATCH_AGE_MS,
      snapshotEvents: s.TRAPLINE_SNAPSHOT_EVENTS,
      queueBytes: s.TRAPLINE_QUEUE_BYTES,
      maxRecordBytes: s.TRAPLINE_MAX_RECORD_BYTES,
      submitTimeoutMs: s.TRAPLINE_SUBMIT_TIMEOUT_MS,
      /** If undefined, depends on the number of cores. */
      laneThreads: s.TRAPLINE_LANE_THREADS,
    },
    retentionDays: {
      events: s.TRAPLINE_RETENTION_DAYS_EVENTS,
      detections: s.TRAPLINE_RETENTION_DAYS_DETECTIONS,
      deadLetters: s.TRAPLINE_RETENTION_DAYS_DEAD_LETTERS,
      apiLog: s.TRAPLINE_RETENTION_DAYS_API_LOG,
      executions: s.TRAPLINE_RETENTION_DAYS_EXECUTIONS,
    },
    postgres: {
      /** If undefined, the embedded engine is used. */
      url: s.DATABASE_URL,
      /** For features that need a dedicated session. */
      directUrl: s.DATABASE_DIRECT_URL ?? s.DATABASE_URL,
      /** True if `url` is a pooler that assigns connections per transaction. */
      pooled: s.DATABASE_DIRECT_URL !== undefined,
      /** A standby from which lists are read. */
      replicaUrl: s.DATABASE_REPLICA_URL,
      /**
       * Folder with the programs of the embedded engine. If undefined, uses those of the distribution, or else of the
       * npm package.
       */
      programs: s.TRAPLINE_POSTGRES_BIN,
    },
    redis: redisOf(s),
    platform: platformOf(s),
    /** If undefined, a folder of the data directory is used. */
    s3:
      s.S3_BUCKET && s.S3_REGION && s.S3_ACCESS_KEY_ID && s.S3_SECRET_ACCESS_KEY
        ? {
            endpoint: s.S3_ENDPOINT,
            region: s.S3_REGION,
            bucket: s.S3_BUCKET,
            accessKeyId: s.S3_ACCESS_KEY_ID,
            secretAccessKey: s.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
    /** Set even without a bucket, because a ClickHouse server may write backups to another one. */
    s3Keys:
      s.S3_ACCESS_KEY_ID && s.S3_SECRET_ACCESS_KEY
        ? { accessKeyId: s.S3_ACCESS_KEY_ID, secretAccessKey: s.S3_SECRET_ACCESS_KEY }
        : undefined,
    /** Undefined if tracing is off. */
    tracing: tracingOf(s),
    /** Undefined if metrics are not sent. */
    otlpMetrics: otlpMetricsOf(s),
    otlpLogs: otlpLogsOf(s),
    /** The operator's model, for agents that name none. */
    model: s.TRAPLINE_MODEL_URL
      ? {
          baseUrl: s.TRAPLINE_MODEL_URL,
          model: s.TRAPLINE_MODEL_NAME,
          apiKey: s.TRAPLINE_MODEL_API_KEY,
          prices: s.TRAPLINE_MODEL_PRICES === undefined ? undefined : readModelPrices(s.TRAPLINE_MODEL_PRICES),
        }
      : undefined,
    executions: {
      maxCrashes: s.TRAPLINE_EXECUTION_MAX_CRASHES,
      maxValueBytes: s.TRAPLINE_MAX_VALUE_BYTES,
      maxRunBytes: s.TRAPLINE_MAX_RUN_BYTES,
      heldValueBytes: s.TRAPLINE_HELD_VALUE_BYTES,
      shellTasks: s.TRAPLINE_SHELL_TASKS,
      containerEngine: s.TRAPLINE_CONTAINER_ENGINE,
      containerNetwork: s.TRAPLINE_CONTAINER_NETWORK,
      containerVolumes: s.TRAPLINE_CONTAINER_VOLUMES ?? [],
      containerPorts: s.TRAPLINE_CONTAINER_PORTS === undefined ? undefined : portsBetween(s.TRAPLINE_CONTAINER_PORTS),
    },
    rulesFile: s.TRAPLINE_RULES_FILE,
    signalDialect: s.TRAPLINE_SIGNAL_DIALECT,
    /** How commands reach a running server. */
    server: { url: s.TRAPLINE_URL, apiKey: s.TRAPLINE_API_KEY },
  });
}

/** Level and format of the log. */
function logOf(s: Settings) {
  return { logLevel: s.LOG_LEVEL, logFormat: s.LOG_FORMAT };
}

/** Undefined without Kafka. */
function kafkaOf(s: Settings) {
  return s.KAFKA_BROKERS === undefined
    ? undefined
    : {
        brokers: s.KAFKA_BROKERS,
        sasl:
          s.KAFKA_SASL_MECHANISM && s.KAFKA_USERNAME !== undefined && s.KAFKA_PASSWORD !== undefined
            ? { mechanism: s.KAFKA_SASL_MECHANISM, username: s.KAFKA_USERNAME, password: s.KAFKA_PASSWORD }
            : undefined,
        tls:
          (s.KAFKA_TLS_ENABLED ??
          (s.KAFKA_TLS_CA_FILE ?? s.KAFKA_TLS_CERT_FILE ?? s.KAFKA_TLS_SERVER_NAME) !== undefined)
            ? {
                caFile: s.KAFKA_TLS_CA_FILE,
                certFile: s.KAFKA_TLS_CERT_FILE,
                keyFile: s.KAFKA_TLS_KEY_FILE,
                serverName: s.KAFKA_TLS_SERVER_NAME,
              }
            : undefined,
        groupId: s.TRAPLINE_GROUP_ID,
        sessionTimeoutMs: s.TRAPLINE_SESSION_TIMEOUT_MS,
      };
}

/** Undefined without Redis. */
function redisOf(s: Settings) {
  return s.REDIS_URL === undefined
    ? undefined
    : {
        urls: s.REDIS_URL.split(','),
        sentinel:
          s.REDIS_SENTINEL_NAME === undefined
            ? undefined
            : { name: s.REDIS_SENTINEL_NAME, user: s.REDIS_SENTINEL_USER, password: s.REDIS_SENTINEL_PASSWORD },
        cluster: s.REDIS_CLUSTER,
        caFile: s.REDIS_TLS_CA_FILE,
      };
}

function platformOf(s: Settings) {
  return {
    production: s.NODE_ENV === 'production',
    /** Problems that keep a process that serves the platform from starting in production. */
    problems: problemsInProduction(s, (name) => s[name] !== undefined),
    /** If undefined, only the public address may open the live feed. */
    allowedOrigins: s.ALLOWED_ORIGIN,
    trustedProxies: s.TRUSTED_PROXIES,
    /** If undefined, created at the first start and stored in the data directory. */
    authSecrets: s.AUTH_SECRET,
    jwtSecrets: s.JWT_SECRET,
    adminKey: s.ADMIN_KEY,
    url: s.AUTH_URL,
    registration: registrationRule(s),
    mail: { smtpUrl: s.SMTP_URL, from: s.MAIL_FROM ?? s.EMAIL_USER, user: s.EMAIL_USER, password: s.EMAIL_PASS },
    identityProvider:
      s.IDP_ISSUER && s.IDP_CLIENT_ID && s.IDP_CLIENT_SECRET
        ? { issuer: s.IDP_ISSUER, clientId: s.IDP_CLIENT_ID, clientSecret: s.IDP_CLIENT_SECRET }
        : undefined,
    scimRoles: rolesOfGroups(s.SCIM_ROLES),
    identityProviders: parseIdentityProviders(s.IDENTITY_PROVIDERS),
    codeHost: {
      url: s.CODEHOST_URL,
      token: s.CODEHOST_TOKEN,
      authUrl: s.CODEHOST_AUTH_URL,
      client:
        s.CODEHOST_CLIENT_ID && s.CODEHOST_CLIENT_SECRET
          ? { clientId: s.CODEHOST_CLIENT_ID, clientSecret: s.CODEHOST_CLIENT_SECRET }
          : undefined,
    },
    quotas: {
      defaults: {
        storage_bytes: s.TRAPLINE_QUOTA_STORAGE,
        agents: s.TRAPLINE_QUOTA_AGENTS,
        workflows: s.TRAPLINE_QUOTA_WORKFLOWS,
        versions: s.TRAPLINE_QUOTA_VERSIONS,
        api_keys: s.TRAPLINE_QUOTA_API_KEYS,
        executions: s.TRAPLINE_QUOTA_EXECUTIONS,
        execution_bytes: s.TRAPLINE_QUOTA_EXECUTION_BYTES,
        events: s.TRAPLINE_QUOTA_EVENTS,
      },
      administratorsUnlimited: s.TRAPLINE_QUOTA_ADMINISTRATORS === 'unlimited',
    },
    limits: limitsOf(s),
    maxSessions: s.TRAPLINE_MAX_SESSIONS,
    keys: { maxDays: s.TRAPLINE_KEY_MAX_DAYS ?? null },
    leakedKeys: { policy: s.TRAPLINE_LEAKED_KEYS, scannerKeysUrl: s.TRAPLINE_LEAK_SCANNER_KEYS_URL },
    secondFactor: {
      requiredRoles: s.TRAPLINE_SECOND_FACTOR_ROLES,
      trustedProviders: s.TRAPLINE_SECOND_FACTOR_PROVIDERS,
    },
    minScheduleMs: s.TRAPLINE_MIN_SCHEDULE_SECONDS * 1_000,
    outboundAllow: s.OUTBOUND_ALLOW,
    siemPath: s.SIEM_AUDIT_PATH,
    outputFolder: s.TRAPLINE_OUTPUT_DIR,
    campaignCases: s.TRAPLINE_CAMPAIGN_CASES,
  };
}

/** Limits of requests and sign-ins. */
function limitsOf(s: Settings) {
  return {
    address: windowOf(s.TRAPLINE_LIMIT_ADDRESS),
    addressBlockMs: s.TRAPLINE_LIMIT_ADDRESS_BLOCK_SECONDS * 1_000,
    polls: windowOf(s.TRAPLINE_LIMIT_POLLS),
    wrongKeys: windowOf(s.TRAPLINE_LIMIT_WRONG_KEYS),
    failedAccounts: windowOf(s.TRAPLINE_LIMIT_FAILED_ACCOUNTS),
    accountLock: windowOf(s.TRAPLINE_LIMIT_ACCOUNT_LOCK),
    secondFactorTries: windowOf(s.TRAPLINE_LIMIT_SECOND_FACTOR),
    codeTries: windowOf(s.TRAPLINE_LIMIT_CODE_TRIES),
    signIn: {
      'sign-in': {
        perIp: windowOf(s.TRAPLINE_LIMIT_SIGN_IN_IP),
        perSubject: windowOf(s.TRAPLINE_LIMIT_SIGN_IN_EMAIL),
      },
      'verify-code': {
        perIp: windowOf(s.TRAPLINE_LIMIT_VERIFY_CODE_IP),
        perSubject: windowOf(s.TRAPLINE_LIMIT_VERIFY_CODE_EMAIL),
      },
      'send-code': {
        perIp: windowOf(s.TRAPLINE_LIMIT_SEND_CODE_IP),
        perSubject: windowOf(s.TRAPLINE_LIMIT_SEND_CODE_EMAIL),
      },
      'request-reset': {
        perIp: windowOf(s.TRAPLINE_LIMIT_RESET_IP),
        perSubject: windowOf(s.TRAPLINE_LIMIT_RESET_EMAIL),
      },
    },
  };
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
