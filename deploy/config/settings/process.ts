import { z } from 'zod';
import { byteSize, filePath, text, wholeNumber } from '../values.ts';

export const DEFAULT_DATA_DIR = './.trapline';

/** Address, log, data directory and embedded engines of one process. */
export const processSettings = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'must be production, development or test')
    .default('development')
    .describe(
      'production: the server starts only with AUTH_URL, ALLOWED_ORIGIN, a mail server, and three different random secrets (AUTH_SECRET, JWT_SECRET, ADMIN_KEY)',
    ),
  HOST: text.default('127.0.0.1').describe('address to listen on'),
  PORT: wholeNumber({ min: 0, max: 65_535 })
    .default(8080)
    .describe('port to listen on; 0: any free one. Not set: 8090 for `ingest`, 8091 for `worker`'),
  TRAPLINE_TLS_CERT_FILE: filePath
    .optional()
    .describe(
      'certificate with its intermediate certificates, PEM: `start` and `api` then also serve HTTPS; a changed file is used without a restart',
    ),
  TRAPLINE_TLS_KEY_FILE: filePath.optional().describe('private key of TRAPLINE_TLS_CERT_FILE, PEM'),
  TRAPLINE_TLS_HOST: text.default('0.0.0.0').describe('address to listen on for HTTPS'),
  TRAPLINE_TLS_PORT: wholeNumber({ min: 0, max: 65_535 })
    .default(8443)
    .describe('port to listen on for HTTPS; 0: any free one'),
  TRAPLINE_DRAIN_SECONDS: wholeNumber({ min: 0, max: 600 })
    .default(0)
    .describe('seconds for which the HTTP server still serves after a signal to stop, while /readyz responds with 503'),
  TRAPLINE_MAX_REQUEST_EVENTS: wholeNumber({ min: 1, max: 1_000_000 })
    .default(50_000)
    .describe('events of one POST /api/events; a larger body is refused with 413, and none of its events is accepted'),
  TRAPLINE_MAX_CONNECTIONS: wholeNumber({ min: 10, max: 1_000_000 })
    .default(8_192)
    .describe('HTTP connections that may be open at once; more are closed'),
  TRAPLINE_MAX_CONNECTIONS_PER_ADDRESS: wholeNumber({ min: 1, max: 1_000_000 })
    .default(1_024)
    .describe(
      'HTTP connections that one client address (IPv6: one /64 network) may have open at once; TRUSTED_PROXIES have no such limit',
    ),
  TRAPLINE_MIN_UPLOAD_RATE: byteSize({ min: 1, max: 2 ** 30 })
    .default(2 ** 10)
    .describe(
      'bytes per second with which a request body must arrive, on average over 10 s; a slower body is refused with 408',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('lowest level of messages that are logged: trace, debug, info, warn, error, fatal, silent'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'text', 'pretty'], 'must be auto, json or text')
    .default('auto')
    .describe(
      'json: one object on a line; text (or pretty): lines for people; auto: text on a terminal, otherwise json',
    ),
  TRAPLINE_DATA_DIR: text.default(DEFAULT_DATA_DIR).describe('folder of the embedded engines and the operator key'),
  TRAPLINE_SEAT: z
    .string()
    .regex(/^[A-Za-z\d][\w.-]{0,99}$/, 'must be letters, digits, dots, dashes and underscores, 100 at most')
    .optional()
    .describe(
      'name of this api or ingest process, such as the name of its pod: the same after a restart, and different for each process of a role; not set: a free name of the data directory',
    ),
  TRAPLINE_DISK_LOW_PERCENT: wholeNumber({ min: 0, max: 99 })
    .default(10)
    .describe('free space of a disk with data below which health is degraded, percent'),
  TRAPLINE_ENGINE_MEMORY: byteSize({ min: 2 ** 28, max: 2 ** 40 })
    .default(2 ** 30)
    .describe('memory that the embedded ClickHouse may use, such as 1GiB'),
  TRAPLINE_POSTGRES_BIN: text
    .refine((path) => path.startsWith('/'), 'must be an absolute path')
    .optional()
    .describe(
      "folder of initdb and postgres for the embedded PostgreSQL; not set: Debian's, else those of the npm package",
    ),
  TRAPLINE_ENGINE_ISOLATION: z
    .enum(['auto', 'required', 'off'], 'must be auto, required or off')
    .default('auto')
    .describe(
      'network namespace and Landlock for the embedded ClickHouse: auto (where the kernel permits them), required (without them it does not start), off',
    ),
};
