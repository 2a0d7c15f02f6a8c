import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DetectorLog } from '#ingest/detector/log.ts';
import { type DetectorInput, runDetector } from '#ingest/detector/run-detector.ts';
import { KeyRefusedError } from '#ingest/detector/sinks/event-sink.ts';
import { SIGNAL_DIALECTS, type SignalDialect } from '#schemas/events/signal-dialect.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { makeDataDirectory } from '../../data-directory.ts';
import { onStopSignal } from '../../processes/stop-signals.ts';
import { CommandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { createDetectorSink, sinkTarget } from '../detector-sink.ts';
import { seconds } from '../seconds.ts';

const KERNEL_RING = '/dev/kmsg';
const TRACE = 'tracefs';
const SETTINGS_INTERVAL_MS = 5_000;

interface DetectOptions {
  readonly from: string;
  readonly to: string;
  readonly follow?: true;
  readonly hostname?: string;
  readonly bootTime?: number;
  readonly signalDialect?: SignalDialect;
  readonly configure?: true;
  readonly watch: boolean;
  readonly state?: string;
  readonly spool?: string;
  /** Seconds. */
  readonly closeTimeout?: number;
}

export function registerDetect(program: Command, context: CommandContext): void {
  program
    .command('detect')
    .requiredOption(
      '--from <source>',
      `${KERNEL_RING} (followed live), ${TRACE} (that, and the kernel's trace of fatal signals), a file, or - for standard input`,
    )
    .option(
      '--to <target>',
      'stdout, http(s)://… (a server, with TRAPLINE_API_KEY) or kafka://TOPIC (TRAPLINE_TOPIC_PREFIX stands before it)',
      'stdout',
    )
    .option('--follow', 'of a file: go on reading what is appended, also when it is rotated')
    .option('--hostname <name>', "name of the host in the events (default: this machine's when it follows the kernel)")
    .option(
      '--boot-time <instant>',
      'RFC 3339; of files: the instant of offset 0 (default: the epoch, so that output is reproducible)',
      instant,
    )
    .addOption(
      new Option(
        '--signal-dialect <dialect>',
        'how signals are named: v1 (SIGSEGV) or short (Segv); default: TRAPLINE_SIGNAL_DIALECT',
      ).choices(SIGNAL_DIALECTS),
    )
    .option(
      '--configure',
      'set the kernel settings that make crashes visible and leave core files, and report when one is changed back',
    )
    .option('--no-watch', 'do not watch those settings while following the kernel')
    .option(
      '--state <file>',
      'where the position in the kernel ring is kept between runs (default: in the data directory)',
    )
    .option('--spool <folder>', 'directory for events while the server is unavailable (default: in the data directory)')
    .option(
      '--close-timeout <seconds>',
      'how long to wait at the end for the receiver to accept the last events (default: 15; of Kafka: 30)',
      seconds,
    )
    .action(async (options: DetectOptions) => detect(options, context));
}

async function detect(options: DetectOptions, context: CommandContext): Promise<void> {
  const { dataDir, signalDialect } = await context.config();
  const log = detectorLog(context);
  const input = inputOf(options, context);
  const live = input.kind === 'kmsg' || input.kind === 'tracefs';
  const needsDataDir = options.spool === undefined || options.state === undefined;
  if (live && needsDataDir) await makeDataDirectory(dataDir);
  const stop = new AbortController();
  const offSignals = onStopSignal(() => stop.abort());
  try {
    const sink = await createDetectorSink(sinkTarget(options.to), context, log, {
      // Events of a file or a pipe are not spooled: a file is read again, and the writer of a pipe waits.
      spoolDirectory: options.spool ?? (live ? resolve(dataDir, 'detector-spool') : null),
      ...(options.closeTimeout === undefined ? {} : { closeTimeoutMs: options.closeTimeout * 1_000 }),
    });
    const summary = await runDetector(
      {
        input,
        hostname: options.hostname ?? null,
        bootTimeMs: options.bootTime ?? null,
        signalDialect: options.signalDialect ?? signalDialect,
        stateFile: live ? (options.state ?? resolve(dataDir, 'detector-state.json')) : null,
        settings:
          live && (options.watch || options.configure)
            ? { configure: options.configure === true, intervalMs: SETTINGS_INTERVAL_MS }
            : null,
        root: '/',
        lowMemory: live || input.kind === 'stream' || options.follow === true,
      },
      { sink, log, signal: stop.signal },
    );
    if (summary.lostRecords > 0)
      context.note(`${summary.lostRecords} kernel records were overwritten before they could be read`);
    if (summary.lostTraces > 0)
      context.note(`${summary.lostTraces} entries of the trace ring were overwritten before they could be read`);
    if (summary.unreadFaults > 0)
      context.note(
        `${summary.unreadFaults} lines look like faults of user processes and were not understood: please report their text as a dialect that is missing`,
      );
    if (summary.unnamedSignals > 0)
      context.note(
        `${summary.unnamedSignals} fatal signals have no name in the event format (SIGSYS, real-time signals)`,
      );
    if (context.stderr.isTTY) context.note(`${summary.lines} lines, ${summary.events} events (${summary.reason})`);
  } catch (error) {
    throw readable(error, options.from);
  } finally {
    offSignals();
  }
}

function inputOf({ from, follow }: DetectOptions, { stdin }: CommandContext): DetectorInput {
  if (from === '-') return { kind: 'stream', stream: stdin };
  if (from === KERNEL_RING) return { kind: 'kmsg', path: from };
  if (from === TRACE) return { kind: 'tracefs', path: KERNEL_RING };
  return { kind: 'file', path: from, follow: follow === true };
}

/** Lines for people; the fields stand behind the message. */
function detectorLog(context: CommandContext): DetectorLog {
  return (level, fields, message) => {
    const shown = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    context.note([level === 'info' ? message : `${level}: ${message}`, ...shown].join(' '));
  };
}

/** What the system says of a source, with what to do about it. */
function readable(error: unknown, from: string): unknown {
  if (error instanceof KeyRefusedError) return new CommandError(error.message, 2);
  const { code, path } = error as NodeJS.ErrnoException;
  // A folder can be opened; reading it fails, and that does not say where.
  if (code === 'EISDIR') return new CommandError(`${path ?? from} is a folder`, 2);
  if (path === undefined || code === undefined) return error;
  if (code === 'ENOENT') return new CommandError(`${path} does not exist`, 2);
  if (code === 'EPERM' || code === 'EACCES') {
    return new CommandError(
      `${path} may not be read by this user${path === KERNEL_RING ? ': run as root, or with CAP_SYSLOG' : ''}`,
      2,
    );
  }
  return error;
}

function instant(text: string): number {
  const time = parseTimestamp(text);
  if (time === undefined)
    throw new InvalidArgumentError('An RFC 3339 date-time is expected, such as 2026-03-01T12:00:00Z.');
  return time.seconds * 1000 + Math.floor(time.nanos / 1e6);
}
