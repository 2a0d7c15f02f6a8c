import { isatty, WriteStream } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { OpenLogExport } from '../tracing/port.ts';

const STDERR = 2;

/**
 * Logs on standard error: standard output is for data. One JSON object a line, or text for people: what `LOG_FORMAT` says; `auto`:
 * text on a terminal, otherwise JSON. `receive` gets each entry as JSON too. Secrets never get into a field that is logged; the redaction is the second net.
 */
export async function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  { receive }: Pick<OpenLogExport, 'receive'> = { receive: undefined },
): Promise<Logger> {
  const written = await destination(config.logFormat);
  return pino(LOG_OPTIONS(config.logLevel), receive === undefined ? written : both(written, receive));
}

/** Writes each entry first, because a process that ends sends no more. */
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
 * Writes before it returns, so that the last lines of a process that ends are not lost. Colours only on a terminal, unless `NO_COLOR` or
 * `TERM` forbid them. The formatter is loaded only when it is used.
 */
async function destination(format: Config['logFormat']): Promise<DestinationStream> {
  const terminal = isatty(STDERR);
  const stderr = pino.destination({ dest: STDERR, sync: true });
  if (format === 'json' || (format === 'auto' && !terminal)) return stderr;
  const { prettyStream } = await import('./pretty-log.ts');
  return prettyStream(stderr, { colors: terminal && WriteStream.prototype.getColorDepth() > 1 });
}
