import { readCgroup } from '../attribution/read-cgroup.ts';
import { fromEpochUs } from '../lines/calendar-time.ts';
import { bareLine, type KernelLine } from '../lines/kernel-line.ts';
import { CANARY_FRAME, pointerOfStack } from './canary-frame.ts';
import { PROGRAM_MESSAGE_MARK, readProgramMessage } from './program-message.ts';
import { readAbendFields } from './read-audit-abend.ts';
import type { Witness } from './witness.ts';

/** A witness with the log line that contains it. */
export interface WitnessLine {
  readonly witness: Witness;
  readonly line: KernelLine;
}

const MARKS = new RegExp(`${PROGRAM_MESSAGE_MARK}|COREDUMP_PID|ANOM_ABEND`);

type Fields = Readonly<Record<string, unknown>>;

/** Reads an object of `journalctl -o json` that is not from the kernel. Returns null if it does not report a crash. */
export function readJournalWitness(raw: string): WitnessLine | null {
  if (raw.charCodeAt(0) !== 123 || !MARKS.test(raw)) return null;
  let fields: Fields;
  try {
    fields = JSON.parse(raw) as Fields;
  } catch {
    return null;
  }
  const witness = coreDump(fields) ?? audited(fields) ?? programMessage(fields);
  if (witness === null) return null;
  const line = bareLine(textOf(fields, 'MESSAGE') ?? '');
  const realtimeUs = Number(textOf(fields, '__REALTIME_TIMESTAMP') ?? Number.NaN);
  const level = Number(textOf(fields, 'PRIORITY') ?? Number.NaN);
  const facility = Number(textOf(fields, 'SYSLOG_FACILITY') ?? 1);
  line.realtime = Number.isNaN(realtimeUs) ? null : fromEpochUs(realtimeUs);
  line.level = Number.isInteger(level) && level >= 0 && level <= 7 ? level : null;
  // Messages of programs never get the facility of the kernel.
  line.facility = Number.isInteger(facility) && facility > 0 ? facility : 1;
  line.hostname = textOf(fields, '_HOSTNAME');
  return { witness, line };
}

/** Every program can set fields without a leading underscore, so the record must be from systemd. */
function coreDump(fields: Fields): Witness | null {
  const writer = textOf(fields, '_COMM');
  const pid = numberOf(fields, 'COREDUMP_PID');
  const signal = numberOf(fields, 'COREDUMP_SIGNAL');
  if (pid === null || signal === null || writer?.startsWith('systemd-coredum') !== true) return null;
  const message = textOf(fields, 'MESSAGE') ?? '';
  const executable = textOf(fields, 'COREDUMP_EXE');
  const uid = numberOf(fields, 'COREDUMP_UID');
  const pointer = pointerOfStack(message);
  return {
    kind: CANARY_FRAME.test(message) ? 'stack-smashing' : 'core-dump',
    signal,
    pid,
    comm: textOf(fields, 'COREDUMP_COMM') ?? '',
    ...(pointer === null ? {} : { registers: { pc: pointer } }),
    process: {
      ...(executable === null ? {} : { executable }),
      ...(uid === null ? {} : { uid }),
      ...readCgroup(`0::${textOf(fields, 'COREDUMP_CGROUP') ?? ''}`),
    },
  };
}

function audited(fields: Fields): Witness | null {
  if (fields._TRANSPORT !== 'audit') return null;
  const message = textOf(fields, 'MESSAGE');
  return message?.startsWith('ANOM_ABEND ') ? readAbendFields(message.slice('ANOM_ABEND'.length)) : null;
}

function programMessage(fields: Fields): Witness | null {
  const kind = readProgramMessage(textOf(fields, 'MESSAGE') ?? '');
  const pid = numberOf(fields, '_PID');
  const comm = textOf(fields, '_COMM') ?? textOf(fields, 'SYSLOG_IDENTIFIER');
  if (kind === null || pid === null || comm === null) return null;
  const executable = textOf(fields, '_EXE');
  const uid = numberOf(fields, '_UID');
  return {
    kind,
    signal: 6,
    pid,
    comm,
    process: {
      ...(executable === null ? {} : { executable }),
      ...(uid === null ? {} : { uid }),
      ...readCgroup(`0::${textOf(fields, '_SYSTEMD_CGROUP') ?? ''}`),
    },
  };
}

function textOf(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(fields: Fields, name: string): number | null {
  const text = textOf(fields, name);
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
}
