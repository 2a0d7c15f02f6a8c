import type { EventV1, U64 } from '#schemas/events/versions/v1.ts';
import { fatalSignalEvent, type Origin, suppressedEvent, trapEvent } from './build-events.ts';
import { maybeFatalSignal, readFatalSignal, subjectParts } from './messages/read-fatal-signal.ts';
import type { Mapping } from './messages/read-mapping.ts';
import { maybePax } from './messages/read-pax-report.ts';
import { maybeSuppressed, readSuppressed } from './messages/read-suppressed.ts';
import { maybeTrap, readTrap } from './messages/read-trap.ts';
import { maybeUserFault, readUserFault } from './messages/read-user-fault.ts';
import { signalName } from './messages/signal-names.ts';
import type { Growing } from './open-dumps.ts';
import { createPaxEvents } from './pax-events.ts';
import type { SignalReports } from './signal-reports.ts';
import { createUserFaultEvent } from './user-fault-event.ts';
import type { Witness } from './witnesses/witness.ts';

/** The result of a message: a complete event, an event that waits for more lines, or no event (null). */
export type Beginning = { readonly complete: EventV1 } | { readonly growing: Growing } | null;

export interface MessageEvents {
  begin(text: string, origin: () => Origin): Beginning;
  /**
   * Returns true if a trap or dump of this process was read recently. A report by another source is then not a second
   * crash.
   */
  hasRecentCrash(pid: number): boolean;
}

const MAX_POINTERS = 256;

/** Converts messages to events. Calls `onUnnamedSignal` for fatal signals without a name in the format. */
export function createMessageEvents(onUnnamedSignal: (signal: number) => void, reports: SignalReports): MessageEvents {
  /** Pointers of recent traps by pid. The dump of the fatal signal follows the trap of the same process. */
  const pointers = new Map<number, { ip: U64; sp: U64 }>();

  const dumped = new Set<number>();
  const readPax = createPaxEvents((report) => remember(report.pid, report));

  function beginTrap(text: string, origin: () => Origin): Beginning {
    const message = readTrap(text);
    if (!message) return null;
    remember(message.pid, message);
    const from = origin();
    if (!message.openEnded) return { complete: trapEvent(from, message) };
    let mapping: Mapping | null = null;
    return {
      growing: {
        kind: 'mapping',
        subject: '',
        pointers: message,
        row: () => {},
        mapping: (later) => {
          mapping = later;
        },
        build: () => trapEvent(from, { ...message, mapping }),
      },
    };
  }

  function beginFatalSignal(text: string, origin: () => Origin): Beginning {
    const message = readFatalSignal(text);
    if (!message) return null;
    const signal = signalName(message.signal);
    if (signal === null) onUnnamedSignal(message.signal);
    const from = origin();
    const dump: Record<string, string> = {};
    const { comm, pid } = subjectParts(message.subject);
    let report: Witness | undefined;
    const takeReport = (of: number) => {
      report ??= reports.takeIn(of, message.signal);
    };
    if (pid !== null) takeReport(Number(pid));
    const growing: Growing = {
      kind: 'dump',
      subject: message.subject,
      pointers: null,
      row: (row) => {
        for (const [name, value] of row.values) dump[name] = value;
        if (row.stage !== 1) return;
        growing.pointers = pointers.get(Number(dump.PID)) ?? null;
        if (dumped.size >= MAX_POINTERS) dumped.clear();
        dumped.add(Number(dump.PID));
        takeReport(Number(dump.PID));
      },
      mapping: () => {},
      build: () => {
        // A signal without a name produces no event, but consumes its rows, which no other dump may get.
        if (signal === null) return null;
        if (comm !== null) dump.Comm ??= comm;
        if (pid !== null) dump.PID ??= pid;
        return reportedEvent(fatalSignalEvent(from, signal, { ...report?.registers, ...dump }), report);
      },
    };
    return { growing };
  }

  /** Caches the pointers of a trap for the dump that follows. */
  function remember(pid: number, of: { readonly ip: U64; readonly sp: U64 }): void {
    if (pointers.size >= MAX_POINTERS) pointers.clear();
    pointers.set(pid, of);
  }

  function beginUserFault(text: string, origin: () => Origin): Beginning {
    const fault = readUserFault(text);
    if (!fault) return null;
    const growing = createUserFaultEvent(fault, origin());
    if (fault.rowsFollow) return { growing };
    const event = growing.build();
    return event && { complete: event };
  }

  return {
    hasRecentCrash: (pid) => pointers.has(pid) || dumped.has(pid),
    begin(text, origin) {
      if (maybeTrap(text)) {
        const trap = beginTrap(text, origin);
        if (trap) return trap;
      }
      if (maybeFatalSignal(text)) return beginFatalSignal(text, origin);
      if (maybeSuppressed(text)) {
        const message = readSuppressed(text);
        return message && { complete: suppressedEvent(origin(), message) };
      }
      if (maybePax(text)) {
        const complete = readPax(text, origin);
        return complete && { complete };
      }
      return maybeUserFault(text) ? beginUserFault(text, origin) : null;
    },
  };
}

/** Adds the process facts from a report of the same crash to the event of a dump. */
function reportedEvent(event: EventV1, report: Witness | undefined): EventV1 {
  if (report?.process === undefined) return event;
  return { ...event, event: { ...event.event, process: report.process } as EventV1['event'] };
}
