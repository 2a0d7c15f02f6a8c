import { isatty, WriteStream } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { OpenLogExport } from '../tracing/port.ts';

const STDERR = 2;

/**
 * Creates the logger. Logs go to standard error, because standard output is for data. `LOG_FORMAT` selects JSON (one
 * object per line) or text; `auto` uses text on a terminal, otherwise JSON. `receive` also gets each entry as JSON.
 * Secrets must not be logged in the first place; the redaction is an additional protection.
 */
export async function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  { receive }: Pick<OpenLogExport, 'receive'> = { receive: undefined },
): Promise<Logger> {
  const written = await destination(config.logFormat);
  return pino(LOG_OPTIONS(config.logLevel), receive === undefined ? written : both(written, receive));
}

/** Writes each entry locally before it is sent, because a process that ends sends nothing more. */
function both(written: DestinationStream, receive: (line: string) => void): DestinationStream {
  return {
    write(line) {
      written.write(line);
      receive(line);
    },
  };
}

const LOG_OPTIONS = (level: Config['logLevel']) => ({
  level,
  base: { pid: process.pid },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: ['password', 'key', 'apiKey', '*.password', '*.apiKey', 'req.headers'], censor: '***' },
});

/**
 * Writes synchronously, so that the last lines of a process are not lost. Uses colours only on a terminal, unless
 * `NO_COLOR` or `TERM` forbid them. The formatter is loaded on demand.
 */
async function destination(format: Config['logFormat']): Promise<DestinationStream> {
  const terminal = isatty(STDERR);
  const stderr = pino.destination({ dest: STDERR, sync: true });
  if (format === 'json' || (format === 'auto' && !terminal)) return stderr;
  const { prettyStream } = await import('./pretty-log.ts');
  return prettyStream(stderr, { colors: terminal && WriteStream.prototype.getColorDepth() > 1 });
}
