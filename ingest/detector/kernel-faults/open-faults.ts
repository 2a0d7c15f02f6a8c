import type { Slot } from '../assembly-slot.ts';
import type { Origin } from '../build-events.ts';
import type { LinePosition } from '../open-dumps.ts';
import { createFaultReport, type FaultReport } from './fault-report.ts';
import { readFaultDetail } from './read-fault-detail.ts';
import { readFaultHeader } from './read-fault-header.ts';

interface OpenReport {
  readonly report: FaultReport;
  readonly slot: Slot;
  readonly caller: string | null;
  touchedUs: number;
  touchedLine: number;
}

/** Limits. The kernel prints a report at once, but a slow console delays it. */
const TIMEOUT_US = 2_000_000;
const MAX_OTHER_LINES = 256;
const MAX_OPEN = 16;

export interface OpenFaults {
  readonly size: number;
  /**
   * Takes a line that starts or continues a report. `open` returns the place of a new event in the order of events.
   * Returns false for a line that belongs to no report.
   */
  take(text: string, at: () => LinePosition, origin: () => Origin, open: () => Slot): boolean;
  closeAll(): void;
}

/**
 * Folds the lines of kernel fault reports, one open report for each caller. The kernel prints reports one after the
 * other, so in a log without callers a second report ends the first.
 */
export function createOpenFaults(): OpenFaults {
  let items: OpenReport[] = [];

  function close(item: OpenReport): void {
    items = items.filter((other) => other !== item);
    item.slot.event = item.report.build();
    item.slot.open = false;
  }

  function expire({ nowUs, line }: LinePosition): void {
    for (const item of items)
      if (Math.abs(nowUs - item.touchedUs) > TIMEOUT_US || line - item.touchedLine > MAX_OTHER_LINES) close(item);
  }

  function touch(item: OpenReport, { nowUs, line }: LinePosition): void {
    item.touchedUs = nowUs;
    item.touchedLine = line;
  }

  /** Adds a line to the open report of its caller. */
  function continueOpen(text: string, at: LinePosition): boolean {
    const item = items.find(({ caller }) => caller === at.caller);
    const detail = item === undefined ? null : readFaultDetail(text);
    if (item === undefined || detail === null) return false;
    touch(item, at);
    if (detail.kind === 'end') close(item);
    else item.report.addDetail(detail);
    return true;
  }

  return {
    get size() {
      return items.length;
    },
    take(text, position, origin, open) {
      const header = readFaultHeader(text);
      if (header === null && items.length === 0) return false;
      const at = position();
      expire(at);
      if (header === null) return continueOpen(text, at);
      const item = items.find(({ caller }) => caller === at.caller);
      if (item?.report.continues(header)) {
        item.report.addHeader(header);
        touch(item, at);
        return true;
      }
      if (item !== undefined) close(item);
      if (items.length >= MAX_OPEN) close(items[0] as OpenReport);
      const { nowUs: touchedUs, line: touchedLine } = at;
      items.push({
        report: createFaultReport(header, origin()),
        slot: open(),
        caller: at.caller,
        touchedUs,
        touchedLine,
      });
      return true;
    },
    closeAll() {
      for (const item of items) close(item);
    },
  };
}
