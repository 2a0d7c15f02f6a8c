import type { EventType, EventV1, KernelTrap, U64 } from '#schemas/events/v1.ts';
import { LOG_FACILITIES, LOG_LEVELS } from '#schemas/events/v1.ts';
import { createSlotQueue, type DetectedEvent, type Slot } from './assembly-slot.ts';
import { fromEpochUs } from './lines/calendar-time.ts';
import type { KernelLine } from './lines/kernel-line.ts';
import { createLineReader } from './lines/line-reader.ts';
import { parseAddress } from './messages/address.ts';
import { type Arm64Exception, maybeArm64Exception, readArm64Exception } from './messages/read-arm64-exception.ts';
import { readDumpRow } from './messages/read-dump-row.ts';
import {
  type FatalSignalMessage,
  maybeFatalSignal,
  readFatalSignal,
  subjectParts,
} from './messages/read-fatal-signal.ts';
import { readMapping } from './messages/read-mapping.ts';
import { maybeSuppressed, readSuppressed } from './messages/read-suppressed.ts';
import { maybeTrap, readTrap, type TrapMessage } from './messages/read-trap.ts';
import { signalName } from './messages/signal-names.ts';
import { createOpenDumps, type OpenItem } from './open-dumps.ts';

export interface KernelLogParserOptions {
  /** Name for every event; null takes what the log itself says, or none. */
  readonly hostname: string | null;
  /** Wall clock at offset 0 of the log's monotonic times, in ms since the epoch. Default 0: reproducible output for files. */
  readonly bootTimeMs?: number;
  /** The reader's present, in ms since the epoch, for logs that leave the year out. Default: now. */
  readonly referenceMs?: number;
}

export interface KernelLogStats {
  lines: number;
  events: number;
  /** Fatal signals that the format has no name for (SIGSYS, real-time signals): no event can say them. */
  signalsWithoutName: number;
}

export interface KernelLogParser {
  /** One line (or one record of /dev/kmsg) without its line end. Gives the events that are complete now, in the order of their first lines. */
  push(line: string): readonly DetectedEvent[];
  /** Closes what is still open: at the end of the input, or when a live source has been silent. */
  flush(): readonly DetectedEvent[];
  /** Where a restart must read again so that nothing that is open now is missed; null when nothing is open. */
  firstOpenSeq(): number | null;
  readonly stats: Readonly<KernelLogStats>;
}

const NONE: readonly DetectedEvent[] = [];
/** Lines that begin a report of the kernel about itself: its register rows are not those of the dump before it. */
const OOPS =
  /^(?:BUG: |Oops|-+\[ cut here|kernel BUG|Unable to handle kernel|Internal error: |watchdog: |general protection fault, |invalid opcode: 0|stack segment: 0|double fault: |INFO: |rcu: |Call Trace|<TASK>)/;
const MAX_QUEUED = 4096;
const MAX_POINTERS = 256;

/**
 * Turns lines of a kernel log into V1 events. Pure: no clock, no input or output; the same lines give the same events.
 * Memory is bounded: at most 64 open dumps of 1 s or 1,024 lines, at most 4,096 events behind the oldest of them.
 */
export function createKernelLogParser(options: KernelLogParserOptions): KernelLogParser {
  const bootTimeUs = (options.bootTimeMs ?? 0) * 1000;
  const bootTime = fromEpochUs(bootTimeUs);
  if (bootTime === null) throw new RangeError('bootTimeMs is outside the years 1900 to 2262');
  const reader = createLineReader(options.referenceMs ?? Date.now());
  const queue = createSlotQueue();
  const dumps = createOpenDumps();
  const stats: KernelLogStats = { lines: 0, events: 0, signalsWithoutName: 0 };
  /** Pointers of recent traps by pid: the fatal signal's dump of the same process follows its trap. */
  const pointers = new Map<number, { ip: U64; sp: U64 }>();
  let lastTimed: KernelLine | null = null;

  function timestampOf(line: KernelLine): string {
    const timed = line.realtime !== null || line.monotonicUs !== null ? line : (lastTimed ?? line);
    if (timed.realtime !== null) return timed.realtime;
    if (timed.monotonicUs === null) return bootTime as string;
    return fromEpochUs(bootTimeUs + timed.monotonicUs) ?? (bootTime as string);
  }

  /** Defaults are those of the kernel's own calls, for logs that don't tell the priority. */
  function wrap(line: KernelLine, defaultLevel: number, event: Omit<EventType, 'level' | 'facility'>): EventV1 {
    const full = {
      ...event,
      // Facilities 12 to 23 have no name in the format; they are never the kernel's own, so the nearest is User.
      facility: LOG_FACILITIES[line.facility ?? 0] ?? 'User',
      level: LOG_LEVELS[line.level ?? defaultLevel] ?? 'Info',
    } as EventType;
    return { version: 'V1', timestamp: timestampOf(line), hostname: options.hostname ?? line.hostname, event: full };
  }

  function addClosed(line: KernelLine, event: EventV1): void {
    queue.add({ seq: line.seq, open: false, event });
  }

  function addOpen(
    line: KernelLine,
    nowUs: number,
    part: Pick<OpenItem, 'kind' | 'row' | 'mapping'> & OpenParts,
  ): Slot {
    const slot: Slot = { seq: line.seq, open: true, event: null };
    queue.add(slot);
    dumps.open({
      subject: '',
      ip: null,
      sp: null,
      ...part,
      slot,
      caller: line.caller,
      stage: 0,
      alive: true,
      touchedUs: nowUs,
      touchedLine: stats.lines,
      close: () => {
        slot.event = part.build();
      },
    });
    return slot;
  }

  function onTrap(line: KernelLine, message: TrapMessage, nowUs: number): void {
    if (pointers.size >= MAX_POINTERS) pointers.clear();
    pointers.set(message.pid, message);
    let mapping = message.mapping;
    const build = (): EventV1 =>
      wrap(line, message.pid > 1 ? 6 : 0, {
        type: 'LinuxKernelTrap',
        errcode: message.errcode,
        ip: message.ip,
        sp: message.sp,
        pid: message.pid,
        procname: message.procname,
        trap: message.trap,
        file: mapping?.file ?? null,
        vmasize: mapping?.vmasize ?? null,
        vmastart: mapping?.vmastart ?? null,
      } as Omit<KernelTrap, 'level' | 'facility'>);
    if (!message.openEnded) {
      addClosed(line, build());
      return;
    }
    addOpen(line, nowUs, {
      kind: 'mapping',
      ip: message.ip,
      row: () => {},
      mapping: (later) => {
        mapping = later;
      },
      build,
    });
  }

  function onArm64(line: KernelLine, message: Arm64Exception, nowUs: number): void {
    let pc: U64 = 0;
    let sp: U64 = 0;
    addOpen(line, nowUs, {
      kind: 'dump',
      row: ({ values }) => {
        for (const [name, value] of values) {
          if (name === 'pc') pc = parseAddress(value) ?? 0;
          else if (name === 'sp') sp = parseAddress(value) ?? 0;
        }
      },
      mapping: () => {},
      build: () =>
        wrap(line, 6, {
          type: 'LinuxKernelTrap',
          errcode: message.errcode,
          ip: pc,
          sp,
          pid: message.pid,
          procname: message.procname,
          trap: message.trapAt(pc),
          file: message.mapping?.file ?? null,
          vmasize: message.mapping?.vmasize ?? null,
          vmastart: message.mapping?.vmastart ?? null,
        } as Omit<KernelTrap, 'level' | 'facility'>),
    });
  }

  function onFatalSignal(line: KernelLine, message: FatalSignalMessage, nowUs: number): void {
    const signal = signalName(message.signal);
    const dump: Record<string, string> = {};
    if (signal === null) stats.signalsWithoutName++;
    addOpen(line, nowUs, {
      kind: 'dump',
      subject: message.subject,
      row(row) {
        for (const [name, value] of row.values) dump[name] = value;
        const known = row.stage === 1 ? pointers.get(Number(dump['PID'])) : undefined;
        if (known) {
          this.ip = known.ip;
          this.sp = known.sp;
        }
      },
      mapping: () => {},
      build: () => {
        if (signal === null) return null;
        const { comm, pid } = subjectParts(message.subject);
        if (dump['Comm'] === undefined && comm !== null) dump['Comm'] = comm;
        if (dump['PID'] === undefined && pid !== null) dump['PID'] = pid;
        return wrap(line, 6, { type: 'LinuxFatalSignal', signal, stack_dump: dump } as never);
      },
    });
  }

  /** True when the line opened or made an event. */
  function onMessage(line: KernelLine, nowUs: number): boolean {
    const { text } = line;
    if (maybeTrap(text)) {
      const trap = readTrap(text);
      if (trap) {
        onTrap(line, trap, nowUs);
        return true;
      }
    }
    if (maybeFatalSignal(text)) {
      const signal = readFatalSignal(text);
      if (signal) {
        onFatalSignal(line, signal, nowUs);
        return true;
      }
    }
    if (maybeSuppressed(text)) {
      const suppressed = readSuppressed(text);
      if (suppressed) {
        addClosed(
          line,
          wrap(line, 4, {
            type: 'LinuxSuppressedCallback',
            count: suppressed.count,
            function_name: suppressed.functionName,
          } as never),
        );
        return true;
      }
    }
    if (maybeArm64Exception(text)) {
      const exception = readArm64Exception(text);
      if (exception) {
        onArm64(line, exception, nowUs);
        return true;
      }
    }
    return false;
  }

  function collect(): readonly DetectedEvent[] {
    if (queue.size === 0) return NONE;
    if (queue.size > MAX_QUEUED) dumps.closeAll();
    const out: DetectedEvent[] = [];
    queue.drain(out);
    stats.events += out.length;
    return out;
  }

  return {
    stats,
    push(raw) {
      const line = reader.read(raw);
      if (!line) return NONE;
      stats.lines++;
      if (line.monotonicUs !== null || line.realtime !== null) lastTimed = line;
      const waiting = dumps.size > 0;
      const nowUs = line.monotonicUs ?? (line.realtime === null ? Number.NaN : Date.parse(line.realtime) * 1000);
      if (waiting) dumps.expire(nowUs, stats.lines);
      if (!onMessage(line, nowUs) && waiting && dumps.size > 0) {
        const row = readDumpRow(line.text);
        if (row) dumps.takeRow(row, line.caller, nowUs, stats.lines);
        else if (OOPS.test(line.text)) dumps.interrupt(line.caller);
        else {
          const mapping = readMapping(line.text);
          if (mapping) dumps.takeMapping(mapping, line.caller);
        }
      }
      return collect();
    },
    flush() {
      dumps.closeAll();
      return collect();
    },
    firstOpenSeq: () => queue.firstOpenSeq(),
  };
}

interface OpenParts {
  subject?: string;
  ip?: U64 | null;
  sp?: U64 | null;
  build(): EventV1 | null;
}
