import type { EventV1, KernelTrapType, SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import type { FaultContext, KernelFaultFacts } from '#schemas/kernel-fault.ts';
import { type Origin, trapEvent } from '../build-events.ts';
import { kernelCode } from './fault-code.ts';
import type { FaultDetail } from './read-fault-detail.ts';
import { type FaultHeader, RANKS } from './read-fault-header.ts';

/** syslog severity of a report in a log without severities: alert, as the kernel prints page faults. */
const ALERT = 1;
/** Threads of io_uring and vhost, which work for the program that created them. */
const HELPER_THREAD = /^(?:iou-|vhost-)/;

/** One report of a kernel fault whose lines are still arriving. */
export interface FaultReport {
  /** Returns true if the line can continue the beginning of this report. */
  continues(header: FaultHeader): boolean;
  addHeader(header: FaultHeader): void;
  addDetail(detail: FaultDetail): void;
  build(): EventV1;
}

/** Starts a report. The first line determines time, level and facility of the event. */
export function createFaultReport(first: FaultHeader, origin: Origin): FaultReport {
  const headers: FaultHeader[] = [first];
  let process = null as FaultDetail | null;
  let task = null as FaultDetail | null;
  let code = null as SegfaultErrorCode | null;
  let ip = null as U64 | null;
  let sp = null as U64 | null;
  let symbol = null as string | null;
  let module = null as string | null;
  let context = null as FaultContext | null;
  let isPast = false;

  const found = <Value>(of: (header: FaultHeader) => Value | null | undefined): Value | null => {
    for (const header of headers) {
      const value = of(header);
      if (value !== null && value !== undefined) return value;
    }
    return null;
  };

  function trapOf(description: string): KernelTrapType {
    const location = found((header) => header.location);
    if (location !== null) return { type: 'Segfault', location };
    // A failed assertion ends in an invalid opcode. Its words say more.
    const trap = found((header) => header.trap);
    if (trap !== null && headers.every(({ rank }) => rank === RANKS.exception)) return { type: trap };
    return { type: 'Generic', description };
  }

  function factsOf(report: string): KernelFaultFacts {
    const where = HELPER_THREAD.test(process?.procname ?? '') ? 'process' : context;
    return {
      report,
      ...(symbol === null ? {} : { symbol }),
      ...(module === null ? {} : { module }),
      ...(where === null ? {} : { context: where }),
      ...(process?.taint === undefined ? {} : { taint: process.taint }),
    };
  }

  return {
    continues: ({ rank }) => process === null && rank > Math.max(...headers.map((header) => header.rank)),
    addHeader: (header) => {
      headers.push(header);
    },
    addDetail: (detail) => {
      if (detail.kind === 'history') isPast = true;
      if (isPast) return;
      if (detail.kind === 'process') process ??= detail;
      else if (detail.procname !== undefined) task ??= detail;
      code ??= detail.errcode ?? null;
      context ??= detail.context ?? null;
      if (detail.kind !== 'place') return;
      ip ??= detail.ip ?? null;
      sp ??= detail.sp ?? null;
      symbol ??= detail.symbol ?? null;
      module ??= detail.module ?? null;
    },
    build() {
      const report = headers[0]?.words ?? '';
      const at =
        symbol === null || report.includes(symbol) ? '' : ` at ${symbol}${module === null ? '' : ` [${module}]`}`;
      const uid = process?.uid ?? found((header) => header.uid);
      const isPageFault = found((header) => header.location) !== null;
      const errcode = found((header) => header.errcode) ?? code;
      const event = trapEvent(
        { ...origin, level: origin.level ?? ALERT },
        {
          procname: process?.procname ?? task?.procname ?? found((header) => header.procname) ?? '',
          pid: process?.pid ?? task?.pid ?? 0,
          ip: ip ?? 0,
          sp: sp ?? 0,
          trap: trapOf(`${report}${at}`),
          errcode: isPageFault ? (code ?? errcode ?? kernelCode()) : (errcode ?? kernelCode()),
          mapping: null,
        },
      );
      const more = { ...(uid === null ? {} : { process: { uid } }), kernel_fault: factsOf(report) };
      return { ...event, event: { ...event.event, ...more } as EventV1['event'] };
    },
  };
}
