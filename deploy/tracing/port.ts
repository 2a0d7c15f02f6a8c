import type { Tracing } from '#schemas/tracing/tracing.ts';

export interface OpenTracing {
  readonly tracing: Tracing;
  /** Sends what is collected, within a bounded time. */
  close(): Promise<void>;
}

/** Where failures of the export are logged. Satisfied by a pino logger. */
export interface TracingLog {
  warn(fields: object, message: string): void;
}
