import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/**
 * Structured logs, one JSON object a line, on standard error: standard output is for data. Secrets never get into a field that is
 * logged; the redaction is the second net.
 */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['password', 'key', 'apiKey', '*.password', '*.apiKey', 'req.headers'], censor: '***' },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
