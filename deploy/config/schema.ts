import { z } from 'zod';
import { SIGNAL_DIALECTS } from '#schemas/events/signal-dialect.ts';
import { groupRoles } from './group-roles.ts';
import { identityProviders } from './identity-providers.ts';
import { modelPrices } from './model-prices.ts';
import { tracingSettings } from './tracing-settings.ts';
import {
  allowList,
  brokers,
  byteSize,
  networks,
  origins,
  orUnlimited,
  postgresUrl,
  rate,
  registration,
  roles,
  secretList,
  text,
  truth,
  url,
  urlGroups,
  urls,
  wholeNumber,
  words,
} from './values.ts';

export const DEFAULT_DATA_DIR = './.trapline';

const DAYS = { min: 1, max: 36_500 };

const quotaCount = orUnlimited(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }));
const quotaBytes = orUnlimited(byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER }));

/** A value that must not be shown: not by `config`, not in an error, not in a log. */
const secret = () => text.meta({ secret: true });
/** A secret of ours: the first signs, the others, which came before it, are still believed. */
const secrets = () => secretList.meta({ secret: true });
/** A URL that may hold a password: shown without it. Like a secret it may be given as the content of a file. */
const postgresUrlWithPassword = () => postgresUrl.meta({ file: true });

/**
 * Every name the product is configured by, and nothing else is. What stands in `describe` is what `trapline config --help`
 * and the documentation show. A setting without a default is off when it is not set.
 */
export const settingsSchema = z
  .object({
    // Servers. A URL that is set means that server; one that is not means the embedded engine.
    KAFKA_BROKERS: brokers.optional().describe('Kafka brokers, host:port joined by commas'),
    KAFKA_SASL_MECHANISM: z
      .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'plain, scram-sha-256 or scram-sha-512 is expected')
      .optional()
      .describe('how to sign in to Kafka: plain, scram-sha-256, scram-sha-512'),
    KAFKA_USERNAME: text.optional().describe('Kafka user'),
    KAFKA_PASSWORD: secret().optional().describe("the Kafka user's password"),
    KAFKA_TLS_ENABLED: truth.optional().describe('speak TLS with Kafka; also on when one of the files below is set'),
    KAFKA_TLS_CA_FILE: text.optional().describe("certificates that may sign the brokers', PEM"),
    KAFKA_TLS_CERT_FILE: text.optional().describe("the client's certificate, PEM"),
    KAFKA_TLS_KEY_FILE: text.optional().describe("the client's private key, PEM"),
    KAFKA_TLS_SERVER_NAME: text
      .optional()
      .describe("name expected in the brokers' certificates, if not their host name"),
    SCHEMA_REGISTRY_URL: url('http', 'https').optional().describe('Confluent-compatible schema registry'),
    SCHEMA_REGISTRY_USER: text.optional().describe('its user'),
    SCHEMA_REGISTRY_PASSWORD: secret().optional().describe("that user's password"),
    CLICKHOUSE_URL: urlGroups('http', 'https')
      .optional()
      .describe(
        "ClickHouse's HTTP interface; with CLICKHOUSE_CLUSTER those of all replicas, joined by commas, the shards by semicolons; not set: the embedded engine",
      ),
    CLICKHOUSE_CLUSTER: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'letters, digits, dots, dashes and underscores are expected')
      .optional()
      .describe(
        'name of a ClickHouse cluster (`remote_servers`): tables are replicated, and events are spread over its shards; not set: one server',
      ),
    CLICKHOUSE_CLOUD: truth
      .default(false)
      .describe(
        'CLICKHOUSE_URL is a service of ClickHouse Cloud (SharedMergeTree): reads wait for acknowledged inserts',
      ),
    CLICKHOUSE_USER: text.default('default').describe('ClickHouse user'),
    CLICKHOUSE_PASSWORD: secret().optional().describe("the ClickHouse user's password"),
    CLICKHOUSE_DATABASE: z
      .string()
      .regex(/^[A-Za-z_]\w{0,62}$/, 'letters, digits and underscores are expected')
      .default('trapline')
      .describe('database of the tables'),
    DATABASE_URL: postgresUrlWithPassword()
      .optional()
      .describe(
        'PostgreSQL for accounts, keys, audit and jobs; of several hosts (postgres://user:password@a:5432,b:5432/name) the one that accepts writes; not set: the embedded engine',
      ),
    DATABASE_DIRECT_URL: postgresUrlWithPassword()
      .optional()
      .describe(
        'the same PostgreSQL without the pooler that DATABASE_URL leads to, such as PgBouncer in transaction mode: for migrations, backups and notifications; not set: there is no pooler',
      ),
    DATABASE_REPLICA_URL: postgresUrlWithPassword()
      .optional()
      .describe(
        'a standby of the PostgreSQL of DATABASE_URL, from which lists are read that may be 5 seconds old; needs REDIS_URL',
      ),
    REDIS_URL: urls('redis', 'rediss')
      .meta({ file: true })
      .optional()
      .describe(
        'Redis for limits, caches and the live feed; several joined by commas: Sentinels or nodes of a cluster; not set: the memory of the process',
      ),
    REDIS_SENTINEL_NAME: text
      .optional()
      .describe(
        'name of the primary at the Sentinels that REDIS_URL names; its account and database are those of Redis',
      ),
    REDIS_SENTINEL_USER: text.optional().describe('user of the Sentinels, if they have their own'),
    REDIS_SENTINEL_PASSWORD: secret().optional().describe('password of the Sentinels, if they have their own'),
    REDIS_CLUSTER: truth.default(false).describe('REDIS_URL names nodes of a Redis Cluster'),
    REDIS_TLS_CA_FILE: text.optional().describe("certificates that may sign Redis', PEM; for rediss://"),
    S3_ENDPOINT: url('http', 'https')
      .optional()
      .describe('object store for files and large payloads, S3-compatible; not set: the one of the region'),
    S3_REGION: text.optional().describe('its region'),
    S3_BUCKET: text.optional().describe('its bucket; not set: a folder of the data directory keeps files'),
    S3_ACCESS_KEY_ID: text.optional().describe('its access key'),
    S3_SECRET_ACCESS_KEY: secret().optional().describe("the access key's secret"),

    // This process.
    HOST: text.default('127.0.0.1').describe('address to listen on'),
    PORT: wholeNumber({ min: 0, max: 65_535 })
      .default(8080)
      .describe('port to listen on; 0: any free one. Not set: 8090 for `ingest`, 8091 for `worker`'),
    TRAPLINE_DRAIN_SECONDS: wholeNumber({ min: 0, max: 600 })
      .default(0)
      .describe(
        'seconds between a signal to stop, from when /readyz responds with 503, and the end of the HTTP server',
      ),
    TRAPLINE_MAX_REQUEST_EVENTS: wholeNumber({ min: 1, max: 1_000_000 })
      .default(50_000)
      .describe('events of one POST /api/events; a larger body is a 413 and nothing of it is taken'),
    TRAPLINE_MAX_CONNECTIONS: wholeNumber({ min: 10, max: 1_000_000 })
      .default(8_192)
      .describe('HTTP connections that may be open at once; more are closed'),
    TRAPLINE_MAX_CONNECTIONS_PER_ADDRESS: wholeNumber({ min: 1, max: 1_000_000 })
      .default(1_024)
      .describe('of one client address (IPv6: one /64 network); TRUSTED_PROXIES are not bounded by it'),
    TRAPLINE_MIN_UPLOAD_RATE: byteSize({ min: 1, max: 2 ** 30 })
      .default(2 ** 10)
      .describe('bytes per second with which a request body must arrive, on average over 10 s; a slower one is a 408'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .describe('least severe messages that are logged: trace, debug, info, warn, error, fatal, silent'),
    LOG_FORMAT: z
      .enum(['json', 'pretty'], 'json or pretty is expected')
      .optional()
      .describe('json: one object a line; pretty: text for people; not set: pretty on a terminal, otherwise json'),
    TRAPLINE_DATA_DIR: text.default(DEFAULT_DATA_DIR).describe('folder of the embedded engines and the operator key'),
    TRAPLINE_SEAT: z
      .string()
      .regex(/^[A-Za-z\d][\w.-]{0,99}$/, 'letters, digits, dots, dashes and underscores are expected, 100 at most')
      .optional()
      .describe(
        'lasting name of this api or ingest process, which no other one of its role has, such as the name of its pod; not set: a free one of the data directory',
      ),
    TRAPLINE_DISK_LOW_PERCENT: wholeNumber({ min: 0, max: 99 })
      .default(10)
      .describe('health is degraded while a disk that data is kept on has less free space than this, percent'),
    TRAPLINE_ENGINE_MEMORY: byteSize({ min: 2 ** 28, max: 2 ** 40 })
      .default(2 ** 30)
      .describe('memory the embedded ClickHouse may use, such as 1GiB'),
    TRAPLINE_POSTGRES_BIN: text
      .refine((path) => path.startsWith('/'), 'an absolute path is expected')
      .optional()
      .describe(
        "folder of initdb and postgres for the embedded PostgreSQL; not set: Debian's, else those of the npm package",
      ),
    TRAPLINE_ENGINE_ISOLATION: z
      .enum(['auto', 'required', 'off'], 'auto, required or off is expected')
      .default('auto')
      .describe(
        'network namespace for the embedded ClickHouse: auto (where the kernel permits it), required (else it does not start), off',
      ),

    // The API platform.
    NODE_ENV: z
      .enum(['production', 'development', 'test'], 'production, development or test is expected')
      .default('development')
      .describe('production: start-up requires an address, a mail server and three different random secrets'),
    ALLOWED_ORIGIN: origins.optional().describe('origins of browsers that may open the live feed, joined by commas'),
    TRUSTED_PROXIES: networks
      .default([])
      .describe('addresses or networks of proxies whose X-Forwarded-For is believed, joined by commas'),
    AUTH_SECRET: secrets()
      .optional()
      .describe(
        'signs OAuth states, hashes codes, seals secrets; the same in all processes of a database; 32 characters or more; old ones after commas',
      ),
    AUTH_URL: url('http', 'https')
      .optional()
      .describe('address people reach this server at; links in mails begin with it'),
    JWT_SECRET: secrets()
      .optional()
      .describe(
        'signs session cookies; the same in all processes of a database; 32 characters or more; old ones after commas',
      ),
    ADMIN_KEY: text
      .pipe(z.string().min(32, 'at least 32 characters are expected'))
      .meta({ secret: true })
      .optional()
      .describe('opens /api/prometheus and /api/docs in x-admin-key; 32 characters or more'),
    REGISTRATION: registration
      .optional()
      .describe(
        'who may register: open, closed, or e-mail domains joined by commas; not set: open in development on a loopback address, closed otherwise',
      ),
    SMTP_URL: url('smtp', 'smtps')
      .meta({ secret: true })
      .optional()
      .describe('mail server; not set: the provider of EMAIL_USER'),
    MAIL_FROM: text.optional().describe('sender of mails; not set: EMAIL_USER'),
    EMAIL_USER: text.optional().describe('mail account for codes and resets'),
    EMAIL_PASS: secret().optional().describe("the mail account's password"),
    IDP_ISSUER: url('http', 'https').optional().describe('identity provider, by its issuer URL'),
    IDP_CLIENT_ID: text.optional().describe('our client id there'),
    IDP_CLIENT_SECRET: secret().optional().describe('our client secret there'),
    IDENTITY_PROVIDERS: identityProviders
      .meta({ secret: true })
      .optional()
      .describe(
        'identity providers as a JSON array, usually by IDENTITY_PROVIDERS_FILE; see docs/operations/single-sign-on.md',
      ),
    SCIM_ROLES: groupRoles
      .optional()
      .describe(
        'roles of SCIM groups: group=role, joined by commas, such as SOC=analyst; not set: groups give no roles',
      ),
    CODEHOST_URL: url('http', 'https').default('https://api.github.com').describe("the code host's REST API"),
    CODEHOST_AUTH_URL: url('http', 'https')
      .default('https://github.com')
      .describe('the code host, where people sign in'),
    CODEHOST_TOKEN: secret().optional().describe('raises the quota at the code host from 60 to 5000 requests an hour'),
    CODEHOST_CLIENT_ID: text.optional().describe('our client id at the code host, to sign in with it'),
    CODEHOST_CLIENT_SECRET: secret().optional().describe('our client secret there'),
    OUTBOUND_ALLOW: allowList
      .default([])
      .describe('networks or host:port that may be fetched from although not public, joined by commas'),
    SIEM_AUDIT_PATH: text
      .refine((path) => path.startsWith('/'), 'an absolute path is expected')
      .optional()
      .describe('file that audit, request and security records are appended to, NDJSON'),
    TRAPLINE_CAMPAIGN_CASES: truth
      .default(true)
      .describe('open a case for each campaign of the fleet rule that has none and is not closed or silenced'),
    TRAPLINE_OUTPUT_DIR: text
      .refine((path) => path.startsWith('/'), 'an absolute path is expected')
      .optional()
      .describe('folder that outputs may write files in, the same one for all processes; not set: none may'),
    ...tracingSettings,
    TRAPLINE_MODEL_URL: url('http', 'https')
      .optional()
      .describe('OpenAI-compatible endpoint for agents that name none'),
    TRAPLINE_MODEL_NAME: text.optional().describe('model of that endpoint'),
    TRAPLINE_MODEL_API_KEY: secret().optional().describe('key for that endpoint'),
    TRAPLINE_MODEL_PRICES: modelPrices
      .optional()
      .describe(
        'credits for a million tokens of the models of that endpoint, as JSON by name: {"NAME":{"input":2.5,"cachedInput":0.25,"output":10}}; the cost of other models is unknown',
      ),
    TRAPLINE_RETENTION_DAYS_EXECUTIONS: wholeNumber(DAYS)
      .default(30)
      .describe('days executions that have ended are kept'),
    TRAPLINE_MAX_VALUE_BYTES: byteSize({ min: 2 ** 16, max: 2 ** 24 })
      .default(8 * 2 ** 20)
      .describe(
        'largest value (input, output, context, event) of a step of a workflow, as JSON; a larger one is an error',
      ),
    TRAPLINE_MAX_RUN_BYTES: byteSize({ min: 2 ** 20, max: 2 ** 36 })
      .default(256 * 2 ** 20)
      .describe(
        'inputs and outputs that the steps of one execution record together, as JSON; beyond it the execution fails',
      ),
    TRAPLINE_HELD_VALUE_BYTES: byteSize({ min: 2 ** 25, max: 2 ** 36 })
      .default(192 * 2 ** 20)
      .describe(
        'values that the executions in progress of one worker hold together, as JSON; one account holds at most half. Beyond it executions wait for a moment, then fail',
      ),
    TRAPLINE_EXECUTION_MAX_CRASHES: wholeNumber({ min: 1, max: 100 })
      .default(3)
      .describe('times an execution may end its worker process while nothing else runs there; then it fails'),
    TRAPLINE_SHELL_TASKS: truth
      .default(false)
      .describe('allow `run: shell` in workflows: commands have the rights of the worker process'),
    TRAPLINE_CONTAINER_ENGINE: text
      .optional()
      .describe(
        'socket of a container engine (Docker Engine API) for `run: container` in workflows, such as /var/run/docker.sock; not set: refused',
      ),
    TRAPLINE_CONTAINER_NETWORK: text
      .default('none')
      .describe('network of the engine that containers of workflows join; none: no network'),
    TRAPLINE_RETENTION_DAYS_API_LOG: wholeNumber(DAYS).default(30).describe('days records of API requests are kept'),

    // What a user may have. An administrator can set other quotas for a user: PATCH /api/admin/users/ID/quota.
    TRAPLINE_QUOTA_STORAGE: quotaBytes
      .default(2 * 2 ** 30)
      .describe('bytes of files, definitions and examples a user may keep, older versions included, or unlimited'),
    TRAPLINE_QUOTA_AGENTS: quotaCount.default(200).describe('agents a user may have, or unlimited'),
    TRAPLINE_QUOTA_WORKFLOWS: quotaCount.default(500).describe('workflows a user may have, or unlimited'),
    TRAPLINE_QUOTA_VERSIONS: quotaCount
      .default(20_000)
      .describe('versions of workflows and agent workspaces a user may have, or unlimited'),
    TRAPLINE_QUOTA_API_KEYS: quotaCount
      .default(5_000)
      .describe('API keys a user may have, revoked ones included, or unlimited'),
    TRAPLINE_QUOTA_EXECUTIONS: quotaCount
      .default(10_000)
      .describe('executions a user may have queued, running and waiting, or unlimited'),
    TRAPLINE_QUOTA_EXECUTION_BYTES: quotaBytes
      .default(5 * 2 ** 30)
      .describe('bytes of inputs, results, steps and log lines of executions a user may keep, or unlimited'),
    TRAPLINE_QUOTA_EVENTS: quotaCount.default(100_000).describe('events a user may send in 24 hours, or unlimited'),
    TRAPLINE_QUOTA_ADMINISTRATORS: z
      .enum(['unlimited', 'limited'], 'unlimited or limited is expected')
      .default('unlimited')
      .describe('whether quotas hold for administrators too: unlimited, limited. The operator has none'),
    TRAPLINE_MAX_SESSIONS: wholeNumber({ min: 1, max: 10_000 })
      .default(100)
      .describe('sessions a user may have; a further sign-in ends the oldest'),
    TRAPLINE_SECOND_FACTOR_ROLES: roles
      .default([])
      .describe(
        'roles whose users need a second factor to sign in, joined by commas, such as admin,analyst; not set: none',
      ),
    TRAPLINE_SECOND_FACTOR_PROVIDERS: words
      .default([])
      .describe(
        'ids of identity providers that check a second factor themselves, joined by commas; sign-ins with others are asked for one',
      ),
    TRAPLINE_KEY_MAX_DAYS: wholeNumber({ min: 1, max: 3_650 })
      .optional()
      .describe('longest life of new and rotated API keys of users, days; a key without an end gets it. Not set: any'),
    TRAPLINE_LEAKED_KEYS: z
      .enum(['off', 'mark', 'revoke'], 'off, mark or revoke is expected')
      .default('off')
      .describe(
        'what happens to API keys that a secret scanner reports as public: off (reports are refused), mark, revoke',
      ),
    TRAPLINE_LEAK_SCANNER_KEYS_URL: url('http', 'https')
      .default('https://api.github.com/meta/public_keys/secret_scanning')
      .describe('public keys that reports of the secret scanner are signed with'),
    TRAPLINE_MIN_SCHEDULE_SECONDS: wholeNumber({ min: 1, max: 86_400 })
      .default(10)
      .describe('shortest interval of `schedule.every` and `schedule.after` in workflows of users; administrators: 1'),

    // Limits of requests and tries, as a number in a time: 100/60s.
    TRAPLINE_LIMIT_ADDRESS: rate
      .default('100/60s')
      .describe('requests of one address (IPv6: one /64 network); more block the address'),
    TRAPLINE_LIMIT_ADDRESS_BLOCK_SECONDS: wholeNumber({ min: 1, max: 86_400 })
      .default(300)
      .describe('for how long an address is blocked that exceeds TRAPLINE_LIMIT_ADDRESS'),
    TRAPLINE_LIMIT_POLLS: rate
      .default('600/60s')
      .describe('reads of the state of executions by one API key; they do not count for the address'),
    TRAPLINE_LIMIT_WRONG_KEYS: rate
      .default('20/60s')
      .describe('wrong API keys from one address; after them no key of it is verified for the same time'),
    TRAPLINE_LIMIT_SIGN_IN_IP: rate.default('20/10m').describe('sign-ins from one address'),
    TRAPLINE_LIMIT_SIGN_IN_EMAIL: rate.default('10/10m').describe('sign-ins from one address with one e-mail address'),
    TRAPLINE_LIMIT_FAILED_ACCOUNTS: rate
      .default('50/1h')
      .describe('different e-mail addresses that sign-ins from one address may fail with'),
    TRAPLINE_LIMIT_ACCOUNT_LOCK: rate
      .default('5/15m')
      .describe('failed sign-ins in a row that lock an account, and for how long it stays locked'),
    TRAPLINE_LIMIT_SECOND_FACTOR: rate
      .default('10/10m')
      .describe('tries of codes of a second factor of one account, from all addresses; also 100 in 24 hours'),
    TRAPLINE_LIMIT_CODE_TRIES: rate
      .default('5/5m')
      .describe('tries of one one-time code, and for how long it is valid'),
    TRAPLINE_LIMIT_VERIFY_CODE_IP: rate.default('50/10m').describe('tries of one-time codes from one address'),
    TRAPLINE_LIMIT_VERIFY_CODE_EMAIL: rate
      .default('10/10m')
      .describe('tries of one-time codes from one address for one e-mail address'),
    TRAPLINE_LIMIT_SEND_CODE_IP: rate.default('20/1h').describe('one-time codes that are mailed for one address'),
    TRAPLINE_LIMIT_SEND_CODE_EMAIL: rate
      .default('5/1h')
      .describe('one-time codes that are mailed to one e-mail address'),
    TRAPLINE_LIMIT_RESET_IP: rate.default('20/1h').describe('password resets that are mailed for one address'),
    TRAPLINE_LIMIT_RESET_EMAIL: rate.default('5/1h').describe('password resets that are mailed to one e-mail address'),

    // Topics and the consumer.
    TRAPLINE_TOPIC_PREFIX: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'letters, digits, dots, dashes and underscores are expected')
      .optional()
      .describe('stands before the name of every topic'),
    TRAPLINE_GROUP_ID: text.default('trapline').describe('consumer group of the ingest processes'),
    TRAPLINE_SESSION_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 300_000 })
      .default(10_000)
      .describe('after how long without a sign of life another ingest process takes over'),

    // The pipeline.
    TRAPLINE_BATCH_ROWS: wholeNumber({ min: 1, max: 1_000_000 })
      .default(50_000)
      .describe('rows at which a batch is landed'),
    TRAPLINE_BATCH_BYTES: byteSize({ min: 2 ** 10, max: 2 ** 30 })
      .default(32 * 2 ** 20)
      .describe('bytes at which a batch is landed'),
    TRAPLINE_BATCH_AGE_MS: wholeNumber({ min: 1, max: 60_000 }).default(500).describe('age at which a batch is landed'),
    TRAPLINE_SNAPSHOT_EVENTS: wholeNumber({ min: 1_000, max: 100_000_000 })
      .default(200_000)
      .describe('events after which the state of the rules is saved, so that a restart replays no more than these'),
    TRAPLINE_QUEUE_BYTES: byteSize({ min: 2 ** 16, max: 2 ** 36 })
      .default(80 * 2 ** 20)
      .describe(
        'bytes that may wait to be landed, before sources are paused or get 429; ingest takes about 200 MiB and twice as much',
      ),
    TRAPLINE_SUBMIT_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 600_000 })
      .default(20_000)
      .describe('how long POST /api/events waits until its events are durable, before it answers 503'),
    TRAPLINE_LANE_THREADS: wholeNumber({ min: 0, max: 16 })
      .optional()
      .describe(
        'threads that validate, derive and land what the process reads from Kafka; 0: the reading thread does, as always with the embedded engine. Not set: one less than the number of cores, at most 2',
      ),
    TRAPLINE_MAX_RECORD_BYTES: byteSize({ min: 2 ** 10, max: 2 ** 28 })
      .default(2 ** 20)
      .describe('a larger event is a dead letter'),
    TRAPLINE_RETENTION_DAYS_EVENTS: wholeNumber(DAYS).default(90).describe('days events are kept'),
    TRAPLINE_RETENTION_DAYS_DETECTIONS: wholeNumber(DAYS).default(730).describe('days detections are kept'),
    TRAPLINE_RETENTION_DAYS_DEAD_LETTERS: wholeNumber(DAYS).default(30).describe('days dead letters are kept'),
    TRAPLINE_RULES_FILE: text.optional().describe('thresholds and windows of the rules, JSON'),
    TRAPLINE_SIGNAL_DIALECT: z
      .enum(SIGNAL_DIALECTS)
      .default('v1')
      .describe('names of signals that are accepted: v1 (SIGSEGV), or short (Segv too, as older detectors write)'),

    // The command line, when it talks to a running server.
    TRAPLINE_URL: url('http', 'https').optional().describe('server that commands talk to; else the one started here'),
    TRAPLINE_API_KEY: secret()
      .optional()
      .describe('key for that server; else the operator key found in the data directory'),
  })
  .refine(
    (s) => s.KAFKA_SASL_MECHANISM === undefined || (s.KAFKA_USERNAME !== undefined && s.KAFKA_PASSWORD !== undefined),
    {
      ...always('KAFKA_SASL_MECHANISM'),
      message: 'needs KAFKA_USERNAME and KAFKA_PASSWORD',
    },
  )
  .refine(
    (s) => s.KAFKA_SASL_MECHANISM !== undefined || (s.KAFKA_USERNAME === undefined && s.KAFKA_PASSWORD === undefined),
    {
      ...always('KAFKA_USERNAME'),
      message: 'a Kafka user or password needs KAFKA_SASL_MECHANISM',
    },
  )
  .refine(
    bothOrNeither('KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'),
    belongTogether('KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'),
  )
  .refine((s) => !(s.KAFKA_TLS_ENABLED === false && (s.KAFKA_TLS_CA_FILE ?? s.KAFKA_TLS_CERT_FILE) !== undefined), {
    ...always('KAFKA_TLS_ENABLED'),
    message: 'is false although TLS files are given',
  })
  .refine((s) => s.CLICKHOUSE_CLUSTER !== undefined || !/[,;]/.test(s.CLICKHOUSE_URL ?? ''), {
    ...always('CLICKHOUSE_URL'),
    message: 'several URLs are replicas and shards of a cluster and need CLICKHOUSE_CLUSTER',
  })
  .refine((s) => s.CLICKHOUSE_CLUSTER === undefined || s.CLICKHOUSE_URL !== undefined, {
    ...always('CLICKHOUSE_CLUSTER'),
    message: 'needs CLICKHOUSE_URL with the URLs of the replicas',
  })
  .refine((s) => s.DATABASE_DIRECT_URL === undefined || s.DATABASE_URL !== undefined, {
    ...always('DATABASE_DIRECT_URL'),
    message: 'needs DATABASE_URL, which leads to the pooler',
  })
  .refine((s) => s.DATABASE_REPLICA_URL === undefined || (s.DATABASE_URL !== undefined && s.REDIS_URL !== undefined), {
    ...always('DATABASE_REPLICA_URL'),
    message: 'needs DATABASE_URL, and REDIS_URL, where processes note who has written lately',
  })
  .refine((s) => !s.CLICKHOUSE_CLOUD || (s.CLICKHOUSE_URL !== undefined && s.CLICKHOUSE_CLUSTER === undefined), {
    ...always('CLICKHOUSE_CLOUD'),
    message: 'needs CLICKHOUSE_URL with the address of the service, and no CLICKHOUSE_CLUSTER',
  })
  .refine((s) => s.REDIS_CLUSTER || s.REDIS_SENTINEL_NAME !== undefined || s.REDIS_URL?.includes(',') !== true, {
    ...always('REDIS_URL'),
    message: 'several URLs need REDIS_SENTINEL_NAME or REDIS_CLUSTER; a comma in a password is written %2C',
  })
  .refine((s) => !(s.REDIS_CLUSTER && s.REDIS_SENTINEL_NAME !== undefined), {
    ...always('REDIS_SENTINEL_NAME'),
    message: 'a Redis Cluster has no Sentinels: set REDIS_CLUSTER or REDIS_SENTINEL_NAME',
  })
  .refine((s) => s.REDIS_URL !== undefined || !(s.REDIS_CLUSTER || s.REDIS_SENTINEL_NAME !== undefined), {
    ...always('REDIS_URL'),
    message: 'REDIS_SENTINEL_NAME and REDIS_CLUSTER need the URLs of the Sentinels or nodes',
  })
  .refine((s) => !s.REDIS_CLUSTER || !s.REDIS_URL?.split(',').some((one) => /^\/[1-9]/.test(new URL(one).pathname)), {
    ...always('REDIS_URL'),
    message: 'a Redis Cluster has only database 0',
  })
  .refine(bothOrNeither('IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'), belongTogether('IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'))
  .refine(
    bothOrNeither('CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'),
    belongTogether('CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'),
  )
  .refine(bothOrNeither('EMAIL_USER', 'EMAIL_PASS'), belongTogether('EMAIL_USER', 'EMAIL_PASS'))
  .refine(
    (s) =>
      s.S3_BUCKET === undefined ||
      (s.S3_REGION !== undefined && s.S3_ACCESS_KEY_ID !== undefined && s.S3_SECRET_ACCESS_KEY !== undefined),
    { ...always('S3_BUCKET'), message: 'needs S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY' },
  )
  .refine((s) => s.IDP_CLIENT_ID === undefined || s.IDP_ISSUER !== undefined, {
    ...always('IDP_ISSUER'),
    message: 'IDP_CLIENT_ID needs it',
  });

export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;
export const SETTING_NAMES = Object.keys(settingsSchema.shape) as readonly SettingName[];

export interface SettingInfo {
  readonly description: string;
  /** Its value must be hidden. */
  readonly secret: boolean;
  /** Its value may be the content of the file that `NAME_FILE` names: of every secret, and of URLs that hold a password. */
  readonly file: boolean;
}

/** What is said of a setting, and how its value is treated. */
export function settingInfo(name: SettingName): SettingInfo {
  const meta = innermostMeta(settingsSchema.shape[name]);
  const secret = meta?.secret === true;
  return { description: settingsSchema.shape[name].description ?? '', secret, file: secret || meta?.file === true };
}

/** `optional()` and `default()` wrap a schema and leave its metadata inside. */
function innermostMeta(schema: z.ZodType): Record<string, unknown> | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return innermostMeta(schema.unwrap() as z.ZodType);
  return schema.meta();
}

/** zod skips checks between fields while a field is invalid; a start reports every error at once. */
function always(name: string) {
  return { path: [name], when: () => true };
}

function bothOrNeither<A extends string, B extends string>(one: A, other: B) {
  return (s: { readonly [N in A | B]?: unknown }) => (s[one] === undefined) === (s[other] === undefined);
}

function belongTogether(one: string, other: string) {
  return { ...always(one), message: `${one} and ${other} belong together` };
}
