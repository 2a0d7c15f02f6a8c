import type { Tracing } from '#schemas/tracing/tracing.ts';

export interface OpenTracing {
  readonly tracing: Tracing;
  /** Sends what is collected, within a bounded time. */
  close(): Promise<void>;
}

/** Where failures of the export are logged. Satisfied by a pino logger. */
export interface TelemetryLog {
  warn(fields: object, message: string): void;
}

/** What a process says of itself in everything that it sends. */
export interface OtlpResource {
  readonly serviceName: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The process that sends. */
export interface TelemetrySource {
  /** What it does: `api`, `ingest`, `detect` … */
  readonly role: string;
  /** Distinguishes processes of one role. */
  readonly instance: string;
}

/** Log entries on their way to a receiver. */
export interface OpenLogExport {
  /** Takes one entry as the logger writes it: a JSON object. Undefined: entries are not sent. */
  readonly receive: ((line: string) => void) | undefined;
  /** Logs failures from now on: the log itself is made with this export. */
  logFailures(log: TelemetryLog): void;
  /** Sends what is collected, within a bounded time. */
  close(): Promise<void>;
}
