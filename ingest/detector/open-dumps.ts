import type { U64 } from '#schemas/events/v1.ts';
import type { Slot } from './assembly-slot.ts';
import { parseAddress } from './messages/address.ts';
import type { DumpRow } from './messages/read-dump-row.ts';
import { subjectFits } from './messages/read-fatal-signal.ts';
import type { Mapping } from './messages/read-mapping.ts';
import { mappingHolds } from './messages/read-mapping.ts';

/** Something whose first line was seen and whose other lines may still come. */
export interface OpenItem {
  readonly kind: 'dump' | 'mapping';
  readonly slot: Slot;
  readonly caller: string | null;
  /** What the opening line of a fatal signal says of the process; empty when it says nothing. */
  readonly subject: string;
  /** Known pointers of the process, to tell whose row or mapping a line is. */
  ip: U64 | null;
  sp: U64 | null;
  /** Stage of the last row taken. */
  stage: number;
  /** A row that only this dump could take came after the newest dump opened: they interleave, it was not cut short. */
  alive: boolean;
  touchedUs: number;
  touchedLine: number;
  row(row: DumpRow): void;
  mapping(mapping: Mapping): void;
  /** Builds the event into the slot from what there is. */
  close(): void;
}

/** Bounds: a kernel prints a dump within microseconds; what is older was cut short. */
const DUMP_TIMEOUT_US = 1_000_000;
const DUMP_LINES = 1024;
const MAPPING_TIMEOUT_US = 100_000;
const MAPPING_LINES = 16;
const MAX_OPEN = 64;

export interface OpenDumps {
  readonly size: number;
  open(item: OpenItem): void;
  /** Gives the row to the dump it belongs to, if one is open. */
  takeRow(row: DumpRow, caller: string | null, nowUs: number, line: number): void;
  takeMapping(mapping: Mapping, caller: string | null): void;
  /** Closes what waited too long, by the log's own time and by lines. `nowUs` is NaN when the line has no time. */
  expire(nowUs: number, line: number): void;
  /** Closes what belongs to the caller (everything without one, when null): something else begins there. */
  interrupt(caller: string | null): void;
  closeAll(): void;
}

/**
 * Routes the rows of dumps that interleave. With caller ids there is no doubt. Without them a row goes to the dump whose
 * next row it is; where several wait for the same one, to the process whose pointers are known to fit, else to the one that
 * was touched least recently of those that proved to be interleaving, else to the newest.
 */
export function createOpenDumps(): OpenDumps {
  let items: OpenItem[] = [];

  function close(item: OpenItem): void {
    items = items.filter((other) => other !== item);
    item.slot.open = false;
    item.close();
  }

  function choose(candidates: OpenItem[]): OpenItem | undefined {
    if (candidates.length < 2) return candidates[0];
    const alive = candidates.filter((item) => item.alive);
    if (alive.length === 0) return candidates.at(-1);
    return alive.reduce((oldest, item) => (item.touchedLine < oldest.touchedLine ? item : oldest));
  }

  return {
    get size() {
      return items.length;
    },
    open(item) {
      if (item.kind === 'dump') {
        // The same caller prints one dump after the other: what it had open was cut short.
        if (item.caller !== null) {
          for (const other of items) if (other.kind === 'dump' && other.caller === item.caller) close(other);
        }
        for (const other of items) if (other.caller === item.caller) other.alive = false;
      }
      if (items.length >= MAX_OPEN) close(items[0] as OpenItem);
      items.push(item);
    },
    takeRow(row, caller, nowUs, line) {
      const fitting = items.filter(
        (item) => item.kind === 'dump' && item.caller === caller && item.stage < row.stage && fits(item, row),
      );
      const next = fitting.filter((item) => row.stage - item.stage <= 1);
      const sure = next.filter((item) => pointerMatches(item, row));
      const item = choose(sure.length > 0 ? sure : next.length > 0 ? next : fitting);
      if (!item) return;
      if (next.length <= 1 || sure.length === 1) item.alive = true;
      item.stage = row.stage;
      if (!Number.isNaN(nowUs)) item.touchedUs = nowUs;
      item.touchedLine = line;
      item.row(row);
      if (row.last) close(item);
    },
    takeMapping(mapping, caller) {
      const waiting = items.filter((item) => item.kind === 'mapping' && item.caller === caller);
      const item = waiting.find(({ ip }) => ip !== null && mappingHolds(mapping, ip));
      if (!item) return;
      item.mapping(mapping);
      close(item);
    },
    expire(nowUs, line) {
      for (const item of items) {
        const dump = item.kind === 'dump';
        const late = Math.abs(nowUs - item.touchedUs) > (dump ? DUMP_TIMEOUT_US : MAPPING_TIMEOUT_US);
        if (late || line - item.touchedLine > (dump ? DUMP_LINES : MAPPING_LINES)) close(item);
      }
    },
    interrupt(caller) {
      for (const item of items) if (item.kind === 'dump' && item.caller === caller) close(item);
    },
    closeAll() {
      for (const item of items) close(item);
    },
  };
}

function valueIn(row: DumpRow, name: string): string | undefined {
  return row.values.find(([key]) => key === name)?.[1];
}

/** Does nothing speak against the row being this dump's? */
function fits(item: OpenItem, row: DumpRow): boolean {
  if (row.stage !== 1) return true;
  return subjectFits(item.subject, valueIn(row, 'Comm') ?? '', valueIn(row, 'PID') ?? '');
}

/** Is the row's pointer the one that the process's trap line named a moment before? */
function pointerMatches(item: OpenItem, row: DumpRow): boolean {
  const known = row.stage === 2 ? item.ip : row.stage === 3 ? item.sp : null;
  if (known === null) return false;
  const value = valueIn(row, 'RIP') ?? valueIn(row, 'RSP');
  const digits = value === undefined ? undefined : /:(?:0x)?([0-9a-f]{1,16})$/.exec(value)?.[1];
  return digits !== undefined && parseAddress(digits) === known;
}
