import type { EventV1, U64 } from '#schemas/events/versions/v1.ts';
import type { Slot } from './assembly-slot.ts';
import { parseAddress } from './messages/address.ts';
import type { DumpRow } from './messages/read-dump-row.ts';
import { subjectFits } from './messages/read-fatal-signal.ts';
import { type Mapping, mappingHolds } from './messages/read-mapping.ts';

/** An event whose first line was read and whose other lines may follow. */
export interface Growing {
  /**
   * What the event waits for: register rows, the mapping that an older kernel prints as a separate message, or the dump
   * of a reported signal.
   */
  readonly kind: 'dump' | 'mapping' | 'report';
  /** The process as the first line of a fatal signal describes it; empty if it does not. */
  readonly subject: string;
  /** Known pointers of the process, used to assign rows and mappings to a dump. */
  pointers: { readonly ip: U64; readonly sp: U64 } | null;
  row(row: DumpRow): void;
  mapping(mapping: Mapping): void;
  /** Builds the event from the lines so far. Returns null if the format cannot express it. */
  build(): EventV1 | null;
}

interface OpenItem {
  readonly growing: Growing;
  readonly slot: Slot;
  readonly caller: string | null;
  /** Stage of the last row that was added. */
  stage: number;
  /**
   * True if a row arrived after a newer dump opened that only this dump could accept. The dumps then interleave, and
   * this one is not truncated.
   */
  alive: boolean;
  touchedUs: number;
  touchedLine: number;
}

/** Limits. A kernel prints a dump within microseconds, so an older open dump is truncated. */
const DUMP_TIMEOUT_US = 1_000_000;
const DUMP_LINES = 1024;
const MAPPING_TIMEOUT_US = 100_000;
const MAPPING_LINES = 16;
const MAX_OPEN = 64;

/** Position of a line. `nowUs` is the log's own time, NaN if it has none; `line` is the number of the line. */
export interface LinePosition {
  readonly caller: string | null;
  readonly nowUs: number;
  readonly line: number;
}

export interface OpenDumps {
  readonly size: number;
  open(growing: Growing, slot: Slot, at: LinePosition): void;
  /** Adds the row to the open dump that it belongs to, if any. */
  takeRow(row: DumpRow, at: LinePosition): void;
  takeMapping(mapping: Mapping, caller: string | null): void;
  /** Closes items that waited too long, by the log's time or by number of lines. */
  expire(at: LinePosition): void;
  /** Closes the dumps of this caller, because another message starts there. */
  interrupt(caller: string | null): void;
  closeAll(): void;
}

/**
 * Assigns the rows of interleaved dumps. With caller ids, the assignment is unambiguous. Without them, a row goes to
 * the dump that expects it next. If several do, the first of these decides: the process whose known pointers match,
 * then the least recently updated of the dumps known to interleave, then the newest dump.
 */
export function createOpenDumps(): OpenDumps {
  let items: OpenItem[] = [];

  function close(item: OpenItem): void {
    items = items.filter((other) => other !== item);
    item.slot.open = false;
    item.slot.event = item.growing.build();
  }

  const dumpsOf = (caller: string | null): OpenItem[] =>
    items.filter((item) => item.growing.kind === 'dump' && item.caller === caller);

  return {
    get size() {
      return items.length;
    },
    open(growing, slot, { caller, nowUs, line }) {
      if (growing.kind === 'dump') {
        for (const other of dumpsOf(caller)) {
          // One caller prints its dumps in sequence, so its previous open dump is truncated.
          if (caller !== null) close(other);
          other.alive = false;
        }
      }
      if (items.length >= MAX_OPEN) close(items[0] as OpenItem);
      items.push({ growing, slot, caller, stage: 0, alive: true, touchedUs: nowUs, touchedLine: line });
    },
    takeRow(row, { caller, nowUs, line }) {
      const fitting = dumpsOf(caller).filter((item) => item.stage < row.stage && fits(item.growing, row));
      const next = fitting.filter((item) => row.stage - item.stage <= 1);
      const sure = next.filter((item) => pointerMatches(item.growing, row));
      const item = choose(sure.length > 0 ? sure : next.length > 0 ? next : fitting);
      if (!item) return;
      if (next.length <= 1 || sure.length === 1) item.alive = true;
      item.stage = row.stage;
      item.touchedUs = nowUs;
      item.touchedLine = line;
      item.growing.row(row);
      if (row.last) close(item);
    },
    takeMapping(mapping, caller) {
      const holder = items.find(
        ({ growing, caller: own }) =>
          growing.kind === 'mapping' &&
          own === caller &&
          growing.pointers !== null &&
          mappingHolds(mapping, growing.pointers.ip),
      );
      if (!holder) return;
      holder.growing.mapping(mapping);
      close(holder);
    },
    expire({ nowUs, line }) {
      for (const item of items) {
        const brief = item.growing.kind === 'mapping';
        const late = Math.abs(nowUs - item.touchedUs) > (brief ? MAPPING_TIMEOUT_US : DUMP_TIMEOUT_US);
        if (late || line - item.touchedLine > (brief ? MAPPING_LINES : DUMP_LINES)) close(item);
      }
    },
    interrupt(caller) {
      for (const item of dumpsOf(caller)) close(item);
    },
    closeAll() {
      for (const item of items) close(item);
    },
  };
}

function choose(candidates: readonly OpenItem[]): OpenItem | undefined {
  if (candidates.length < 2) return candidates[0];
  const alive = candidates.filter((item) => item.alive);
  if (alive.length === 0) return candidates.at(-1);
  return alive.reduce((oldest, item) => (item.touchedLine < oldest.touchedLine ? item : oldest));
}

function valueIn(row: DumpRow, name: string): string | undefined {
  return row.values.find(([key]) => key === name)?.[1];
}

/** Returns true if the row can belong to this dump. */
function fits(growing: Growing, row: DumpRow): boolean {
  if (row.stage !== 1) return true;
  return subjectFits(growing.subject, valueIn(row, 'Comm') ?? '', valueIn(row, 'PID') ?? '');
}

/** Returns true if the pointer in the row equals the one in the preceding trap line of the process. */
function pointerMatches(growing: Growing, row: DumpRow): boolean {
  if (growing.pointers === null || row.stage < 2 || row.stage > 3) return false;
  const value = valueIn(row, 'RIP') ?? valueIn(row, 'RSP');
  const digits = value === undefined ? undefined : /:(?:0x)?([0-9a-f]{1,16})$/.exec(value)?.[1];
  return digits !== undefined && parseAddress(digits) === (row.stage === 2 ? growing.pointers.ip : growing.pointers.sp);
}
