import { createSlotQueue, type DetectedEvent, type Slot } from './assembly-slot.ts';
import type { Origin } from './build-events.ts';
import { createOpenFaults } from './kernel-faults/open-faults.ts';
import { fromEpochUs } from './lines/calendar-time.ts';
import { createEntryAssembler } from './lines/entries/entry-assembler.ts';
import { createFineTime } from './lines/fine-time.ts';
import type { KernelLine } from './lines/kernel-line.ts';
import { createLineReader } from './lines/line-reader.ts';
import { createMessageEvents } from './message-events.ts';
import { readDumpRow } from './messages/read-dump-row.ts';
import { readMapping } from './messages/read-mapping.ts';
import { readUnreadFault, type UnreadFault } from './messages/unread-fault.ts';
import { createOpenDumps, type Growing, type LinePosition } from './open-dumps.ts';
import { createSignalReports } from './signal-reports.ts';
import type { WitnessLine } from './witnesses/read-journal-witness.ts';
import { readKernelWitness, readUnreadCoreDump, readWitnessLine } from './witnesses/read-witness-line.ts';
import { witnessEvent } from './witnesses/witness-event.ts';

export interface KernelLogParserOptions {
  /** Host name for every event. If null, the name in the log is used, if any. */
  readonly hostname: string | null;
  /**
   * Wall clock at offset 0 of the log's monotonic times, in ms since the epoch. Default 0, which makes output for files
   * reproducible.
   */
  readonly bootTimeMs?: number | undefined;
  /** Current time of the reader, in ms since the epoch, for logs without a year. Default: now. */
  readonly referenceMs?: number | undefined;
}

export interface KernelLogStats {
  lines: number;
  events: number;
  /** Fatal signals without a name in the format (SIGSYS, real-time signals). They produce no event. */
  unnamedSignals: number;
  /** Lines that look like a fault of a user process but produced no event. */
  unreadFaults: number;
}

export interface KernelLogParser {
  /**
   * Parses one line (or one record of /dev/kmsg) without its line end. Returns the events that are complete now, in the
   * order of their first lines.
   */
  push(line: string): readonly DetectedEvent[];
  /** Closes all open events, at the end of the input or when a live source is silent. */
  flush(): readonly DetectedEvent[];
  /** Sequence number from which a restart must read again to get all open events; null if none is open. */
  firstOpenSeq(): number | null;
  readonly stats: Readonly<KernelLogStats>;
  /** Number of unread faults by form (`messages/unread-fault.ts`). */
  readonly unreadForms: ReadonlyMap<string, number>;
}

const NONE: readonly DetectedEvent[] = [];
/** If more complete events than this wait for an open dump, the dump is closed. */
const MAX_QUEUED = 4096;
/** Lines that start a kernel report about the kernel itself. Their register rows do not belong to the dump before. */
const OOPS =
  /^(?:BUG: |Oops|-+\[ cut here|kernel BUG|Unable to handle kernel|Internal error: |watchdog: |general protection fault, |invalid opcode: 0|stack segment: 0|double fault: |INFO: |rcu: |Call Trace|<TASK>)/;

/**
 * Creates a parser from kernel log lines to V1 events. Deterministic after creation: no I/O and no clock; equal lines
 * produce equal events. Memory is bounded: at most 64 open dumps of 1 s or 1,024 lines, and at most 4,096 events
 * waiting for the oldest of them.
 * Long: its functions share the open dumps and the order of events.
 */
export function createKernelLogParser(options: KernelLogParserOptions): KernelLogParser {
  const bootTimeUs = (options.bootTimeMs ?? 0) * 1000;
  const bootTime = fromEpochUs(bootTimeUs);
  if (bootTime === null) throw new RangeError('bootTimeMs is outside the years 1900 to 2262');
  const reader = createLineReader(options.referenceMs ?? Date.now());
  const entries = createEntryAssembler();
  const queue = createSlotQueue();
  const dumps = createOpenDumps();
  const faults = createOpenFaults({ positionOf, originOf, openSlot });
  const stats: KernelLogStats = { lines: 0, events: 0, unnamedSignals: 0, unreadFaults: 0 };
  const unreadForms = new Map<string, number>();
  const reports = createSignalReports();
  const messages = createMessageEvents(() => {
    stats.unnamedSignals++;
  }, reports);
  const fineTime = createFineTime();
  let lastTimed: KernelLine | null = null;

  function timestampOf(line: KernelLine): string {
    // A line without a time gets the time of the previous line, which keeps the order.
    const timed = line.realtime !== null || line.monotonicUs !== null ? line : lastTimed;
    if (timed?.realtime) return timed.realtime;
    const monotonicUs = timed?.monotonicUs ?? 0;
    return fromEpochUs(bootTimeUs + monotonicUs) ?? (bootTime as string);
  }

  function originOf(line: KernelLine): Origin {
    const { level, facility } = line;
    return { timestamp: timestampOf(line), hostname: options.hostname ?? line.hostname, level, facility };
  }

  /**
   * Emits an event for a crash that another source reports. Skipped if the kernel has just reported the crash and the
   * witness adds nothing.
   */
  function takeWitness({ witness, line }: WitnessLine): void {
    const explains = witness.kind === 'stack-smashing' || witness.kind === 'assertion';
    if (!explains && messages.hasRecentCrash(witness.pid)) return;
    if (witness.kind === 'grsecurity') {
      const at = positionOf(line);
      dumps.expire(at);
      open(reports.hold(witness, originOf(line)), line, at);
      return;
    }
    const event = witnessEvent(witness, originOf(line));
    if (event === null) stats.unnamedSignals++;
    else queue.add({ seq: line.seq, open: false, event });
  }

  function positionOf(line: KernelLine): LinePosition {
    return { caller: line.caller, nowUs: clockOf(line), line: stats.lines };
  }

  function openSlot({ seq }: KernelLine): Slot {
    const slot: Slot = { seq, open: true, event: null };
    queue.add(slot);
    return slot;
  }

  function open(growing: Growing, line: KernelLine, at: LinePosition): void {
    dumps.open(growing, openSlot(line), at);
  }

  function closeAll(): void {
    dumps.closeAll();
    faults.closeAll();
  }

  /** Adds a line that starts no event to an open event, if it belongs to one. */
  function continueOpen(text: string, at: LinePosition): void {
    const row = readDumpRow(text);
    if (row) dumps.takeRow(row, at);
    else if (OOPS.test(text)) dumps.interrupt(at.caller);
    else {
      const mapping = readMapping(text);
      if (mapping) dumps.takeMapping(mapping, at.caller);
    }
  }

  /**
   * Counts a line that started no event but looks like a fault. Lines of daemons in the kernel log are checked for core
   * dumps only.
   */
  function countUnreadLine({ text, facility }: KernelLine): void {
    countUnread((facility ?? 0) === 0 ? (readUnreadFault(text) ?? readUnreadCoreDump(text)) : readUnreadCoreDump(text));
  }

  function countUnread(unread: UnreadFault | null): void {
    if (!unread || (unread.pid !== null && messages.hasRecentCrash(unread.pid))) return;
    stats.unreadFaults++;
    unreadForms.set(unread.form, (unreadForms.get(unread.form) ?? 0) + 1);
  }

  function collect(): readonly DetectedEvent[] {
    if (queue.size === 0) return NONE;
    if (queue.size > MAX_QUEUED) closeAll();
    const out: DetectedEvent[] = [];
    queue.drain(out);
    stats.events += out.length;
    return out;
  }

  /** Processes one line of a log. */
  function take(raw: string): void {
    const line = reader.read(raw);
    if (!line) {
      const other = readWitnessLine(raw, reader.read);
      if (other) takeWitness(other);
      else countUnread(readUnreadCoreDump(raw));
      return;
    }
    stats.lines++;
    fineTime.refine(line);
    if (line.monotonicUs !== null || line.realtime !== null) lastTimed = line;
    const beginning = messages.begin(line.text, () => originOf(line));
    const witness = beginning === null ? readKernelWitness(line) : null;
    if (witness) {
      takeWitness(witness);
      return;
    }
    if (beginning === null && faults.take(line)) {
      dumps.interrupt(line.caller);
      return;
    }
    if (beginning === null) countUnreadLine(line);
    if (beginning === null && dumps.size === 0) return;

    const at = positionOf(line);
    dumps.expire(at);
    if (beginning === null) continueOpen(line.text, at);
    else if ('complete' in beginning) queue.add({ seq: line.seq, open: false, event: beginning.complete });
    else open(beginning.growing, line, at);
  }

  return {
    stats,
    unreadForms,
    push(raw) {
      for (const line of entries.push(raw)) take(line);
      return collect();
    },
    flush() {
      for (const line of entries.flush()) take(line);
      closeAll();
      return collect();
    },
    firstOpenSeq: () => queue.firstOpenSeq(),
  };
}

/** Returns the log's own time in microseconds, for differences only; NaN if the line has none. */
function clockOf(line: KernelLine): number {
  if (line.monotonicUs !== null) return line.monotonicUs;
  return line.realtime === null ? Number.NaN : Date.parse(line.realtime) * 1000;
}
