import type { ReadResult } from '#schemas/events/accepted.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import type { SignalDialect } from '#schemas/events/signal-dialect.ts';

export interface ValidateConfig {
  readonly signalDialect: SignalDialect;
}

export type Validate = (text: string) => ReadResult;

/** The step after decoding: JSON text to an accepted event or the refusal that goes to the dead letters. Never throws on any text. */
export function createValidateStep(config: ValidateConfig): Validate {
  const options = { signalDialect: config.signalDialect };
  return function validate(text) {
    return readEvent(text, options);
  };
}
