import type { Tracing } from '#schemas/tracing/tracing.ts';

export interface OpenTracing {
  readonly tracing: Tracing;
  /** Sends collected data, within a bounded time. */
  close(): Promise<void>;
}

/** Logs failures of the export. A pino logger satisfies it. */
export interface TelemetryLog {
  warn(fields: object, message: string): void;
}

/** Attributes of a process in everything that it sends. */
export interface OtlpResource {
  readonly serviceName: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The process that sends telemetry. */
export interface TelemetrySource {
  /** Role of the process: `api`, `ingest`, `detect` … */
  readonly role: string;
  /** Distinguishes processes of one role. */
  readonly instance: string;
}

/** The export of log entries. */
export interface OpenLogExport {
  /** Accepts one entry as the logger writes it: a JSON object. Undefined if entries are not sent. */
  readonly receive: ((line: string) => void) | undefined;
  /** Logs failures from now on. Set later, because the log itself is created with this export. */
  logFailures(log: TelemetryLog): void;
  /** Sends collected data, within a bounded time. */
  close(): Promise<void>;
}
