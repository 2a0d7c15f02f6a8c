import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveConfig, type Sources } from '#deploy/config/resolve.ts';
import { SETTING_NAMES, settingInfo } from '#deploy/config/schema.ts';

function errorsOf(environment: Sources['environment'], file?: string): readonly string[] {
  const result = resolveConfig({ environment, ...(file === undefined ? {} : { file: { path: 'a.env', text: file } }) });
  return result.ok ? [] : result.errors;
}

function configOf(environment: Sources['environment'], file?: string) {
  const result = resolveConfig({ environment, ...(file === undefined ? {} : { file: { path: 'a.env', text: file } }) });
  if (!result.ok) throw new Error(result.errors.join('\n'));
  return result;
}

describe('values', () => {
  test('without settings, the embedded engines listen on loopback', () => {
    const { config } = configOf({});
    expect(config).toMatchObject({
      kafka: undefined,
      registry: undefined,
      clickhouse: { url: undefined, database: 'trapline' },
      http: { host: '127.0.0.1', port: 8080 },
      dataDir: './.trapline',
      topicPrefix: '',
    });
  });

  test.each([
    [
      'brokers',
      { KAFKA_BROKERS: 'a:9092, b:9093,[::1]:9094' },
      { kafka: { brokers: ['a:9092', 'b:9093', '[::1]:9094'], sasl: undefined, tls: undefined } },
    ],
    [
      'SASL',
      { KAFKA_BROKERS: 'a:1', KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 'p' },
      { kafka: { sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' } } },
    ],
    [
      'TLS by the system',
      { KAFKA_BROKERS: 'a:1', KAFKA_TLS_ENABLED: 'yes' },
      { kafka: { tls: { caFile: undefined } } },
    ],
    [
      'TLS by a file',
      { KAFKA_BROKERS: 'a:1', KAFKA_TLS_CA_FILE: '/ca.pem' },
      { kafka: { tls: { caFile: '/ca.pem' } } },
    ],
    [
      'prices of models',
      { TRAPLINE_MODEL_URL: 'http://127.0.0.1:1/v1', TRAPLINE_MODEL_PRICES: '{"m":{"input":2.5,"output":10}}' },
      { model: { baseUrl: 'http://127.0.0.1:1/v1', prices: { m: { input: 2.5, output: 10 } } } },
    ],
    [
      'bytes',
      { TRAPLINE_QUEUE_BYTES: '1.5 MiB', TRAPLINE_BATCH_BYTES: '4096' },
      { pipeline: { queueBytes: 1_572_864, batchBytes: 4096 } },
    ],
    [
      'limits',
      { TRAPLINE_LIMIT_ADDRESS: '7/2m', TRAPLINE_LIMIT_SEND_CODE_EMAIL: '3/2h', TRAPLINE_LIMIT_ACCOUNT_LOCK: '3/1h' },
      {
        platform: {
          limits: {
            address: { limit: 7, windowMs: 120_000 },
            addressBlockMs: 300_000,
            polls: { limit: 600, windowMs: 60_000 },
            accountLock: { limit: 3, windowMs: 3_600_000 },
            codeTries: { limit: 5, windowMs: 300_000 },
            signIn: { 'send-code': { perIp: { limit: 20 }, perSubject: { limit: 3, windowMs: 7_200_000 } } },
          },
        },
      },
    ],
    [
      'a URL loses the slash at its end',
      { CLICKHOUSE_URL: 'https://c:8443/' },
      { clickhouse: { url: 'https://c:8443' } },
    ],
    [
      'the replicas of a cluster',
      { CLICKHOUSE_URL: 'https://a:8443, https://b:8443/', CLICKHOUSE_CLUSTER: 'main' },
      { clickhouse: { url: 'https://a:8443', urls: ['https://a:8443', 'https://b:8443'], cluster: 'main' } },
    ],
    [
      'the shards of a cluster',
      { CLICKHOUSE_URL: 'https://a,https://b/; https://c', CLICKHOUSE_CLUSTER: 'main' },
      {
        clickhouse: {
          url: 'https://a',
          urls: ['https://a', 'https://b', 'https://c'],
          shards: [['https://a', 'https://b'], ['https://c']],
        },
      },
    ],
    [
      'the Sentinels of Redis',
      { REDIS_URL: 'rediss://u:p@a:26379,rediss://b:26379', REDIS_SENTINEL_NAME: 'main', REDIS_SENTINEL_PASSWORD: 'q' },
      {
        redis: {
          urls: ['rediss://u:p@a:26379', 'rediss://b:26379'],
          sentinel: { name: 'main', password: 'q' },
          cluster: false,
        },
      },
    ],
    [
      'nodes of a Redis Cluster',
      { REDIS_URL: 'redis://a,redis://b', REDIS_CLUSTER: 'true' },
      { redis: { cluster: true } },
    ],
    ['an empty value is no value', { PORT: '', KAFKA_BROKERS: '' }, { http: { port: 8080 }, kafka: undefined }],
    ['days', { TRAPLINE_RETENTION_DAYS_EVENTS: '7' }, { retentionDays: { events: 7, detections: 730 } }],
  ])('%s', (_, environment, expected) => {
    expect(configOf(environment).config).toMatchObject(expected);
  });

  test('cannot be changed later', () => {
    const { config } = configOf({ KAFKA_BROKERS: 'a:1' });
    expect(() => Object.assign(config, { dataDir: '/' })).toThrow(TypeError);
    expect(() => Object.assign(config.pipeline, { batchRows: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.kafka?.brokers ?? {}, { 0: 'b:2' })).toThrow(TypeError);
  });
});

describe('errors', () => {
  test.each([
    [{ PORT: '99999' }, 'PORT: '],
    [{ PORT: 'http' }, 'PORT: must be a whole number (got "http")'],
    [{ KAFKA_BROKERS: 'a' }, 'KAFKA_BROKERS: must be host:port'],
    [{ CLICKHOUSE_URL: 'localhost:8123' }, 'CLICKHOUSE_URL: must be a URL that begins with http:// or https://'],
    [{ CLICKHOUSE_URL: 'http://a,b', CLICKHOUSE_CLUSTER: 'main' }, 'CLICKHOUSE_URL'],
    [{ CLICKHOUSE_URL: 'http://a,http://b' }, 'CLICKHOUSE_URL: several URLs are replicas and shards of a cluster'],
    [{ CLICKHOUSE_URL: 'http://a;http://b' }, 'CLICKHOUSE_URL: several URLs are replicas and shards of a cluster'],
    [{ CLICKHOUSE_URL: 'http://a;', CLICKHOUSE_CLUSTER: 'main' }, 'CLICKHOUSE_URL'],
    [{ CLICKHOUSE_CLOUD: 'true' }, 'CLICKHOUSE_CLOUD: needs CLICKHOUSE_URL'],
    [
      { CLICKHOUSE_CLOUD: 'true', CLICKHOUSE_URL: 'http://a', CLICKHOUSE_CLUSTER: 'main' },
      'CLICKHOUSE_CLOUD: needs CLICKHOUSE_URL',
    ],
    [{ CLICKHOUSE_CLUSTER: 'main' }, 'CLICKHOUSE_CLUSTER: needs CLICKHOUSE_URL'],
    [{ REDIS_URL: 'redis://a,redis://b' }, 'REDIS_URL: several URLs need REDIS_SENTINEL_NAME or REDIS_CLUSTER'],
    [{ REDIS_URL: 'redis://:a,b@c' }, 'REDIS_URL: must be a URL'],
    [{ REDIS_CLUSTER: 'true' }, 'REDIS_URL: REDIS_SENTINEL_NAME and REDIS_CLUSTER need'],
    [{ REDIS_URL: 'redis://a/3', REDIS_CLUSTER: 'true' }, 'REDIS_URL: a Redis Cluster has only database 0'],
    [
      { REDIS_URL: 'redis://a', REDIS_CLUSTER: 'true', REDIS_SENTINEL_NAME: 'x' },
      'REDIS_SENTINEL_NAME: a Redis Cluster has no Sentinels',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: '],
    [{ TRAPLINE_MODEL_PRICES: '{"m":{"input":1}}' }, 'TRAPLINE_MODEL_PRICES: must be a JSON object of models'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT: must be auto, json or text'],
    [{ CLICKHOUSE_DATABASE: 'a;DROP' }, 'CLICKHOUSE_DATABASE: '],
    [{ TRAPLINE_LIMIT_POLLS: '600' }, 'TRAPLINE_LIMIT_POLLS: must be a number and a time, such as 100/60s'],
    [{ TRAPLINE_LIMIT_POLLS: '0/60s' }, 'TRAPLINE_LIMIT_POLLS: must be a number and a time'],
    [{ TRAPLINE_QUEUE_BYTES: '3 parsecs' }, 'TRAPLINE_QUEUE_BYTES: must be a number of bytes'],
    [{ KAFKA_SASL_MECHANISM: 'plain' }, 'KAFKA_SASL_MECHANISM: needs KAFKA_USERNAME and KAFKA_PASSWORD'],
    [{ KAFKA_USERNAME: 'u' }, 'KAFKA_USERNAME: a Kafka user or password needs KAFKA_SASL_MECHANISM'],
    [
      { TRAPLINE_TLS_CERT_FILE: '/c', TRAPLINE_TLS_KEY_FILE: 'a\nb' },
      'TRAPLINE_TLS_KEY_FILE: must be the path of a file, not its content',
    ],
    [{ KAFKA_TLS_CERT_FILE: 'c' }, 'KAFKA_TLS_CERT_FILE: must be set together with KAFKA_TLS_KEY_FILE'],
    [{ KAFKA_TLS_ENABLED: 'no', KAFKA_TLS_CA_FILE: 'c' }, 'KAFKA_TLS_ENABLED: is false, but TLS files are given'],
    [
      { TRAPLINE_TOPIC_PREFX: 'x' },
      'TRAPLINE_TOPIC_PREFX: there is no such setting; did you mean TRAPLINE_TOPIC_PREFIX?',
    ],
    [{ TRAPLINE_BATCH_SIZE: '1' }, 'TRAPLINE_BATCH_SIZE: there is no such setting; did you mean TRAPLINE_BATCH_ROWS?'],
    [{ TRAPLINE_SOMETHING_ELSE_ENTIRELY: '1' }, 'TRAPLINE_SOMETHING_ELSE_ENTIRELY: there is no such setting.'],
  ])('%o', (environment, start) => {
    const errors = errorsOf(environment);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(start);
  });

  test('reports all errors at once, including those between settings', () => {
    const errors = errorsOf(
      { PORT: 'x', LOG_LEVEL: 'x', KAFKA_USERNAME: 'u', TRAPLINE_X: '1', TRAPLINE_GRUOP_ID: 'g' },
      'nonsense\nPORTT=1\n',
    );
    expect(errors.map((error) => error.split(':').slice(0, 2).join(':'))).toEqual(
      expect.arrayContaining(['a.env: line 1', 'a.env: line 2']),
    );
    expect(errors.filter((error) => !error.startsWith('a.env')).map((error) => error.split(':')[0])).toEqual(
      expect.arrayContaining(['PORT', 'LOG_LEVEL', 'KAFKA_USERNAME', 'TRAPLINE_X', 'TRAPLINE_GRUOP_ID']),
    );
    expect(errors).toHaveLength(7);
  });

  test('reports likely typos in names of a shared family without stopping the start', () => {
    const { warnings } = configOf({ CLICKHOUSE_URI: 'http://c', KAFKA_HOME: '/opt/kafka', PATH: '/bin' });
    expect(warnings).toEqual(['CLICKHOUSE_URI: there is no such setting; did you mean CLICKHOUSE_URL? It is ignored.']);
  });

  test('ignores the variables that Kubernetes sets for a Service named trapline', () => {
    const links = {
      TRAPLINE_SERVICE_HOST: '10.0.0.1',
      TRAPLINE_PORT: 'tcp://10.0.0.1:8080',
      TRAPLINE_PORT_8080_TCP_ADDR: '10.0.0.1',
    };
    expect(errorsOf({ ...links, KUBERNETES_SERVICE_HOST: '10.0.0.2' })).toEqual([]);
    expect(errorsOf(links)).toHaveLength(3);
  });
});

describe('a file', () => {
  test('is overridden by the environment, and each value has its origin', () => {
    const { config, origins } = configOf(
      { PORT: '1' },
      '# ours\nPORT=2\nexport HOST="0.0.0.0" # all\nLOG_LEVEL=\'warn\'\nTRAPLINE_GROUP_ID=a#b # c\n',
    );
    expect(config).toMatchObject({ http: { port: 1, host: '0.0.0.0' }, logLevel: 'warn' });
    expect(origins).toMatchObject({
      PORT: 'environment',
      HOST: 'a.env:3',
      LOG_LEVEL: 'a.env:4',
      TRAPLINE_DATA_DIR: 'default',
    });
    expect(configOf({}, 'KAFKA_BROKERS=a:1\nTRAPLINE_GROUP_ID=a#b # c').config.kafka?.groupId).toBe('a#b');
  });

  test.each([
    ['PORT', 'a.env: line 1: must be NAME=value'],
    ['HOST="x', 'a.env: line 1: the quotation mark of HOST is not closed'],
    ['HOST=a\nHOST=b', 'a.env: line 2: HOST stands in line 1 already'],
    ['PATH=/bin', 'a.env: line 1: PATH: there is no such setting.'],
    ['PORTS=1', 'a.env: line 1: PORTS: there is no such setting; did you mean PORT?'],
  ])('rejects %j', (text, error) => {
    expect(errorsOf({}, text)).toEqual([error]);
  });
});

describe('registration', () => {
  test.each([
    ['open', {}],
    ['open', { HOST: 'localhost' }],
    ['open', { HOST: '127.0.0.5' }],
    ['open', { HOST: '::1', NODE_ENV: 'test' }],
    ['closed', { HOST: '0.0.0.0' }],
    ['closed', { TRAPLINE_TLS_CERT_FILE: '/c', TRAPLINE_TLS_KEY_FILE: '/k' }],
    ['open', { TRAPLINE_TLS_CERT_FILE: '/c', TRAPLINE_TLS_KEY_FILE: '/k', TRAPLINE_TLS_HOST: '::1' }],
    ['closed', { HOST: '::' }],
    ['closed', { HOST: '192.0.2.7' }],
    ['closed', { HOST: 'trapline.internal' }],
    ['closed', { NODE_ENV: 'production' }],
    ['closed', { NODE_ENV: 'production', HOST: '127.0.0.1' }],
    ['closed', { REGISTRATION: 'closed' }],
    ['open', { REGISTRATION: 'open', NODE_ENV: 'production', HOST: '0.0.0.0' }],
    [['example.org'], { REGISTRATION: '@Example.org', NODE_ENV: 'production' }],
  ])('is %s with %o', (registration, environment) => {
    const { config, settings } = configOf(environment);
    expect(config.platform.registration.registration).toEqual(registration);
    expect(settings.REGISTRATION).toEqual(registration);
  });

  test('has an explanation', () => {
    const because = (environment: Sources['environment']) => configOf(environment).config.platform.registration.because;
    expect(because({ REGISTRATION: 'open' })).toBe('REGISTRATION is set');
    expect(because({ HOST: '0.0.0.0' })).toContain('HOST 0.0.0.0');
    expect(because({ NODE_ENV: 'production' })).toContain('NODE_ENV is production');
  });
});

describe('secrets', () => {
  const SECRETS = SETTING_NAMES.filter((name) => settingInfo(name).secret);

  test('are the expected settings', () => {
    expect(SECRETS).toEqual([
      'KAFKA_PASSWORD',
      'SCHEMA_REGISTRY_PASSWORD',
      'CLICKHOUSE_PASSWORD',
      'REDIS_SENTINEL_PASSWORD',
      'S3_SECRET_ACCESS_KEY',
      'AUTH_SECRET',
      'JWT_SECRET',
      'ADMIN_KEY',
      'SMTP_URL',
      'EMAIL_PASS',
      'IDP_CLIENT_SECRET',
      'IDENTITY_PROVIDERS',
      'CODEHOST_TOKEN',
      'CODEHOST_CLIENT_SECRET',
      'TRAPLINE_MODEL_API_KEY',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'TRAPLINE_API_KEY',
    ]);
  });

  test('never appear in errors, wherever they are configured', () => {
    const secret = fc.stringMatching(/^s3cr3t[\w!$%^&*()+-]{0,20}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom(...SETTING_NAMES), (value, name) => {
        const misplaced = `ftp://user:${value}@host/`;
        const errors = errorsOf(
          {
            [name]: misplaced,
            ...Object.fromEntries(SECRETS.map((other) => [other, value])),
            TRAPLINE_UNKNOWN: value,
            PORT: 'x',
          },
          `${value}\nTRAPLINE_OTHER=${value}`,
        );
        expect(errors.join('\n')).not.toContain('s3cr3t');
      }),
      { numRuns: 300 },
    );
  });
});

describe('secrets in files', () => {
  const secret = 'kF2bZq8vT1nY6wB4xP0sD7hR2mL5cJ9gW3';
  const files: Readonly<Record<string, string>> = {
    '/run/secrets/admin': `${secret}\n`,
    '/run/secrets/database': 'postgres://trapline:hidden@db/trapline\r\n',
    '/run/secrets/two-lines': 'first\n\n',
    '/run/secrets/empty': '\n',
    '/run/secrets/wrong': 'the-password-of-another-system\n',
  };
  const readFile = (path: string): string => {
    const content = files[path];
    if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return content;
  };
  const resolve = (environment: Sources['environment'], text?: string) =>
    resolveConfig({ environment, readFile, ...(text === undefined ? {} : { file: { path: 'a.env', text } }) });
  const refused = (environment: Sources['environment'], text?: string) => {
    const result = resolve(environment, text);
    return result.ok ? [] : result.errors;
  };

  test('are read without a final line break and shown by their path', () => {
    const result = resolve(
      {
        ADMIN_KEY_FILE: '/run/secrets/admin',
        KAFKA_PASSWORD_FILE: '/run/secrets/two-lines',
        KAFKA_USERNAME: 'u',
        KAFKA_SASL_MECHANISM: 'plain',
      },
      'DATABASE_URL_FILE=/run/secrets/database\n',
    );
    if (!result.ok) throw new Error(result.errors.join('\n'));
    expect(result.settings).toMatchObject({
      ADMIN_KEY: secret,
      DATABASE_URL: 'postgres://trapline:hidden@db/trapline',
      KAFKA_PASSWORD: 'first\n',
    });
    expect(result.origins).toMatchObject({
      ADMIN_KEY: 'file /run/secrets/admin',
      DATABASE_URL: 'file /run/secrets/database',
    });
    expect(result.warnings).toEqual([]);
  });

  test.each(SETTING_NAMES.filter((name) => settingInfo(name).secret || /^(?:DATABASE|REDIS)_URL$/.test(name)))(
    '%s can be in a file, and not set twice',
    (name) => {
      expect(refused({ [`${name}_FILE`]: '/nowhere' })).toContain(`${name}_FILE: /nowhere can't be read (ENOENT)`);
      expect(refused({ [`${name}_FILE`]: '/run/secrets/admin', [name]: secret })).toContain(
        `${name}: ${name}_FILE is set too (environment): remove one of the two`,
      );
    },
  );

  test('conflict with a value of another source, and the error names both sources', () => {
    expect(refused({ ADMIN_KEY: secret }, 'ADMIN_KEY_FILE=/run/secrets/admin\n')).toEqual([
      'ADMIN_KEY: ADMIN_KEY_FILE is set too (a.env:1): remove one of the two',
    ]);
  });

  test('are not blamed for a value that is set twice', () => {
    expect(refused({ AUTH_SECRET: 'short', AUTH_SECRET_FILE: '/run/secrets/admin' })).toEqual([
      'AUTH_SECRET: AUTH_SECRET_FILE is set too (environment): remove one of the two',
      'AUTH_SECRET: must have at least 32 characters (in environment)',
    ]);
  });

  test('must not be empty, because another store would be used', () => {
    expect(refused({ DATABASE_URL_FILE: '/run/secrets/empty' })).toEqual([
      'DATABASE_URL_FILE: /run/secrets/empty is empty',
    ]);
  });

  test('never appear in errors', () => {
    expect(refused({ DATABASE_URL_FILE: '/run/secrets/wrong' })).toEqual([
      expect.stringMatching(/^DATABASE_URL: must be a URL .* \(in file \/run\/secrets\/wrong\)$/),
    ]);
  });

  test('are possible only for secrets', () => {
    expect(refused({ TRAPLINE_GROUP_ID_FILE: '/run/secrets/admin' })[0]).toContain('there is no such setting');
  });

  test('are not also reported as missing if the file cannot be read', () => {
    const result = resolve({ NODE_ENV: 'production', ADMIN_KEY_FILE: '/nowhere' });
    expect(result.ok ? [] : result.production.filter((line) => line.startsWith('ADMIN_KEY'))).toEqual([]);
  });
});
