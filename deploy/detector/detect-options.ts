import { type Command, InvalidArgumentError, Option } from 'commander';
import { SIGNAL_DIALECTS, type SignalDialect } from '#schemas/events/signal-dialect.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { seconds } from '../cli/seconds.ts';

export const KERNEL_RING = '/dev/kmsg';
export const TRACE = 'tracefs';
export const SYSLOG = 'syslog';

/** Options of one run of the detector, as commander returns them. */
export interface DetectOptions {
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

/**
 * Adds the options of the detector. `targets` describes the values of `--to` in this program; `target` is the default.
 */
export function addDetectOptions(command: Command, targets: string, target: string): Command {
  return command
    .requiredOption(
      '--from <source>',
      `${KERNEL_RING} (followed live), ${TRACE} (also the kernel's trace of fatal signals), ${SYSLOG} (the same log through the system call, if ${KERNEL_RING} is not accessible), a file, or - for standard input`,
    )
    .option('--to <target>', targets, target)
    .option('--follow', 'for a file: keep reading appended lines, also after rotation')
    .option('--hostname <name>', 'host name in the events (default: name of this machine if the source is its kernel)')
    .option(
      '--boot-time <instant>',
      'for files: time of offset 0, RFC 3339 (default: the epoch, so that the output is reproducible)',
      instant,
    )
    .addOption(
      new Option(
        '--signal-dialect <dialect>',
        'names of signals: v1 (SIGSEGV) or short (Segv); default: TRAPLINE_SIGNAL_DIALECT',
      ).choices(SIGNAL_DIALECTS),
    )
    .option(
      '--configure',
      'set the kernel settings that make crashes visible and write core files, and report changes of them',
    )
    .option('--no-watch', 'do not watch these settings')
    .option('--state <file>', 'file for the position in the kernel log between runs (default: in the data directory)')
    .option('--spool <folder>', 'directory for events while the server is unavailable (default: in the data directory)')
    .option(
      '--close-timeout <seconds>',
      'seconds to wait at the end until the receiver has accepted the last events (default: 15; for Kafka: 30)',
      seconds,
    );
}

function instant(text: string): number {
  const time = parseTimestamp(text);
  if (time === undefined)
    throw new InvalidArgumentError('Must be an RFC 3339 date-time, such as 2026-03-01T12:00:00Z.');
  return time.seconds * 1000 + Math.floor(time.nanos / 1e6);
}
