import { createEventReader, type EventReader } from '#schemas/events/event-reader.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';

export interface ValidateConfig {
  readonly signalDialect: SignalDialect;
}

export type Validate = EventReader;

/**
 * Creates the step after decoding. It reads an event from JSON bytes, or returns the rejection for the dead letter.
 * Never throws.
 */
export function createValidateStep({ signalDialect }: ValidateConfig): Validate {
  return createEventReader({ signalDialect });
}
