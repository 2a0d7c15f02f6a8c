import type { ExactFields } from './exact-fields.ts';
import { mayHoldLongNumber } from './long-number.ts';
import { restoreExact } from './restore-exact.ts';

const NO_KNOWN_FIELDS: ExactFields = {
  name: '',
  uint64: false,
  members: new Map(),
  items: undefined,
  variants: undefined,
};

/**
 * As JSON.parse, without loss of integer precision: integers beyond 2^53 - 1 in plain digits become bigints. For JSON
 * that is written again later (stored events, responses of our own API). Throws SyntaxError as JSON.parse does.
 */
export function parseExact(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!mayHoldLongNumber(text)) return parsed;
  // Wrapped in an array, so that a top-level number has a holder.
  const holder = [parsed];
  restoreExact(`[${text}]`, holder, NO_KNOWN_FIELDS);
  return holder[0];
}
