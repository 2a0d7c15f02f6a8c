import type { DecodeLimits } from '#ingest/pipeline/decode.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import type { AcceptedEvent, Rejection } from '#schemas/events/accepted.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import { readAccepted } from '../read-accepted.ts';

export interface CaptureOptions {
  readonly signalDialect: SignalDialect;
  readonly limits: DecodeLimits;
  /** Called for each line of V1 events that is not valid. */
  readonly refused: (line: number, rejection: Rejection) => void;
}

/** The events of a capture of any kind that `trapline analyze` reads. Kernel logs without a clock begin at the epoch. */
export async function* readCapture(file: string, options: CaptureOptions): AsyncGenerator<AcceptedEvent> {
  const reading = {
    kind: undefined,
    kernelLog: { hostname: null, bootTimeMs: 0 },
    validate: createValidateStep({ signalDialect: options.signalDialect }),
    limits: options.limits,
    refused: options.refused,
  };
  // A capture is a file: standard input is not read.
  for await (const { events } of readAccepted(file, process.stdin, reading)) yield* events;
}
