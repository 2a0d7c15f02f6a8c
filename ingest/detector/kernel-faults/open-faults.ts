import type { Slot } from '../assembly-slot.ts';
import type { Origin } from '../build-events.ts';
import type { KernelLine } from '../lines/kernel-line.ts';
import type { LinePosition } from '../open-dumps.ts';
import { createFaultReport, type FaultReport } from './fault-report.ts';
import { readFaultDetail } from './read-fault-detail.ts';
import { maybeFaultHeader, readFaultHeader } from './read-fault-header.ts';

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

/** What the reader of the log knows of a line. */
interface Log {
  positionOf(line: KernelLine): LinePosition;
  originOf(line: KernelLine): Origin;
  /** Returns the place of a new event in the order of events. */
  openSlot(line: KernelLine): Slot;
}

export interface OpenFaults {
  /**
   * Takes a line of the kernel that starts or continues a report. Returns false for other lines, including messages of
   * programs in the kernel log.
   */
  take(line: KernelLine): boolean;
  closeAll(): void;
}

/**
 * Folds the lines of kernel fault reports, one open report for each caller. The kernel prints reports one after the
 * other, so in a log without callers a second report ends the first.
 */
export function createOpenFaults({ positionOf, originOf, openSlot }: Log): OpenFaults {
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
    take(line) {
      if ((items.length === 0 && !maybeFaultHeader(line.text)) || (line.facility ?? 0) !== 0) return false;
      const header = readFaultHeader(line.text);
      if (header === null && items.length === 0) return false;
      const at = positionOf(line);
      expire(at);
      if (header === null) return continueOpen(line.text, at);
      const item = items.find(({ caller }) => caller === at.caller);
      if (item?.report.continues(header)) {
        item.report.addHeader(header);
        touch(item, at);
        return true;
      }
      if (item !== undefined) close(item);
      if (items.length >= MAX_OPEN) close(items[0] as OpenReport);
      const report = createFaultReport(header, originOf(line));
      const { caller, nowUs: touchedUs, line: touchedLine } = at;
      items.push({ report, slot: openSlot(line), caller, touchedUs, touchedLine });
      return true;
    },
    closeAll() {
      for (const item of items) close(item);
    },
  };
}
