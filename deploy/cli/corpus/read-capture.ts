import type { DecodeLimits } from '#ingest/pipeline/decode.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import type { AcceptedEvent, Rejection } from '#schemas/events/accepted.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import { readAccepted } from '../read-accepted.ts';

export interface CaptureOptions {
  readonly signalDialect: SignalDialect;
  readonly limits: DecodeLimits;
  /** Called for each invalid line of V1 events. */
  readonly refused: (line: number, rejection: Rejection) => void;
}

/**
 * Reads the events of a capture in any format that `trapline analyze` accepts. Kernel logs without a clock start at the
 * epoch.
 */
export async function* readCapture(file: string, options: CaptureOptions): AsyncGenerator<AcceptedEvent> {
  const reading = {
    kind: undefined,
    kernelLog: { hostname: null, bootTimeMs: 0 },
    validate: createValidateStep({ signalDialect: options.signalDialect }),
    limits: options.limits,
    refused: options.refused,
  };
  // A capture is a file, so standard input is not read.
  for await (const { events } of readAccepted(file, process.stdin, reading)) yield* events;
}
