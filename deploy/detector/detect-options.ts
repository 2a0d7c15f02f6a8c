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
      `${KERNEL_RING} (followed live), ${TRACE} (that, and the kernel's trace of fatal signals), ${SYSLOG} (the same log by the system call, where ${KERNEL_RING} is not accessible), a file, or - for standard input`,
    )
    .option('--to <target>', targets, target)
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
    );
}

function instant(text: string): number {
  const time = parseTimestamp(text);
  if (time === undefined)
    throw new InvalidArgumentError('An RFC 3339 date-time is expected, such as 2026-03-01T12:00:00Z.');
  return time.seconds * 1000 + Math.floor(time.nanos / 1e6);
}
