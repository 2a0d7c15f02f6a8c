import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { DetectorLog } from '#ingest/detector/log.ts';
import { type DetectorInput, isLive, runDetector } from '#ingest/detector/run-detector.ts';
import { type EventSink, KeyRefusedError } from '#ingest/detector/sinks/event-sink.ts';
import { KernelSyslogError } from '#ingest/detector/sources/kernel-syslog.ts';
import { NoTimesError } from '#ingest/detector/sources/syslog-records.ts';
import type { DetectorProgress } from '#ingest/detector/status-reports.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import { CommandError } from '../cli/command-error.ts';
import { makeDataDirectory } from '../data-directory.ts';
import { onStopSignal } from '../processes/stop-signals.ts';
import { type DetectOptions, KERNEL_RING, SYSLOG, TRACE } from './detect-options.ts';

const SETTINGS_INTERVAL_MS = 5_000;

export interface SinkOptions {
  readonly spoolDirectory: string | null;
  /** How long closing waits for the receiver. If undefined, the sink's default. */
  readonly closeTimeoutMs?: number;
}

/** Parts of the surrounding program that the detector uses. */
export interface DetectProgram {
  readonly stdin: Readable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly dataDir: string;
  readonly signalDialect: SignalDialect;
  /** Writes one line for the user to standard error. */
  note(text: string): void;
  /** Opens the sink that `--to` names. */
  openSink(to: string, log: DetectorLog, options: SinkOptions): Promise<EventSink>;
  /**
   * Reports the status of the detector to the receiver that `openSink` opened. Returns a function that stops the
   * reports.
   */
  startReports?(source: string, progress: () => DetectorProgress, log: DetectorLog): () => void;
}

/** Runs the detector until its input ends or the process is stopped. */
export async function detect(options: DetectOptions, program: DetectProgram): Promise<void> {
  const log = detectorLog(program);
  const input = inputOf(options, program);
  const live = isLive(input);
  if (live) await makeDataDirectory(program.dataDir);
  const stop = new AbortController();
  const offSignals = onStopSignal(() => stop.abort());
  try {
    const sink = await program.openSink(options.to, log, {
      // Events of a file or a pipe are not spooled: a file can be read again, and the writer of a pipe waits.
      spoolDirectory: options.spool ?? (live ? resolve(program.dataDir, 'detector-spool') : null),
      ...(options.closeTimeout === undefined ? {} : { closeTimeoutMs: options.closeTimeout * 1_000 }),
    });
    const summary = await runDetector(
      {
        input,
        hostname: options.hostname ?? null,
        bootTimeMs: options.bootTime ?? null,
        signalDialect: options.signalDialect ?? program.signalDialect,
        stateFile: live ? (options.state ?? resolve(program.dataDir, 'detector-state.json')) : null,
        settings:
          live && (options.watch || options.configure)
            ? { configure: options.configure === true, intervalMs: SETTINGS_INTERVAL_MS }
            : null,
        root: '/',
        lowMemory: live || input.kind === 'stream' || options.follow === true,
      },
      {
        sink,
        log,
        signal: stop.signal,
        observe: (progress) => program.startReports?.(options.from, progress, log) ?? (() => {}),
      },
    );
    if (summary.lostRecords > 0)
      program.note(`${summary.lostRecords} kernel records were overwritten before they could be read`);
    if (summary.lostTraces > 0)
      program.note(`${summary.lostTraces} entries of the trace ring were overwritten before they could be read`);
    if (summary.unreadFaults > 0)
      program.note(
        `${summary.unreadFaults} lines look like faults of user processes and were not understood: please report their text as a dialect that is missing`,
      );
    if (summary.unnamedSignals > 0)
      program.note(
        `${summary.unnamedSignals} fatal signals have no name in the event format (SIGSYS, real-time signals)`,
      );
    if (program.stderr.isTTY) program.note(`${summary.lines} lines, ${summary.events} events (${summary.reason})`);
  } catch (error) {
    throw readable(error, options.from);
  } finally {
    offSignals();
  }
}

function inputOf({ from, follow }: DetectOptions, { stdin }: DetectProgram): DetectorInput {
  if (from === '-') return { kind: 'stream', stream: stdin };
  if (from === KERNEL_RING) return { kind: 'kmsg', path: from };
  if (from === TRACE) return { kind: 'tracefs', path: KERNEL_RING };
  if (from === SYSLOG) return { kind: 'syslog' };
  return { kind: 'file', path: from, follow: follow === true };
}

/** Logs lines for the user, with the fields after the message. */
function detectorLog(program: DetectProgram): DetectorLog {
  return (level, fields, message) => {
    const shown = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    program.note([level === 'info' ? message : `${level}: ${message}`, ...shown].join(' '));
  };
}

/** Converts a system error of a source to a message that says what to do. */
function readable(error: unknown, from: string): unknown {
  if (error instanceof KeyRefusedError) return new CommandError(error.message, 2);
  if (error instanceof KernelSyslogError || error instanceof NoTimesError) return new CommandError(error.message, 2);
  const { code, path } = error as NodeJS.ErrnoException;
  // A folder can be opened, but reading it fails with an error that does not name it.
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
