import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { type Origin, trapEvent } from './build-events.ts';
import { type PaxAttempt, type PaxReport, readPaxAttempt, readPaxReport } from './messages/read-pax-report.ts';

/** Reads the lines of PaX in sequence. Calls `onReport` for each report that is an event. */
export function createPaxEvents(
  onReport: (report: PaxReport) => void,
): (text: string, origin: () => Origin) => EventV1 | null {
  /** The line before the one with the process name. */
  let attempt: PaxAttempt | null = null;
  return (text, origin) => {
    const report = readPaxReport(text, attempt);
    attempt = report === null ? (readPaxAttempt(text) ?? attempt) : null;
    if (report === null) return null;
    onReport(report);
    const { event, ...envelope } = trapEvent(origin(), report);
    return { ...envelope, event: { ...event, process: report.process } as EventV1['event'] };
  };
}
