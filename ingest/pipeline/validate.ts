import { createEventReader, type EventReader } from '#schemas/events/event-reader.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';

export interface ValidateConfig {
  readonly signalDialect: SignalDialect;
}

export type Validate = EventReader;

/** The step after decoding: the bytes of JSON text to an accepted event or the refusal that goes to the dead letters. Never throws on any bytes. */
export function createValidateStep({ signalDialect }: ValidateConfig): Validate {
  return createEventReader({ signalDialect });
}
