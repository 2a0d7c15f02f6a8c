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
 * JSON.parse that loses no integer: those beyond 2^53 - 1 written as plain digits become bigints, wherever they stand. For JSON
 * that is read to be written out again (stored events, answers of our own API). Throws SyntaxError as JSON.parse does.
 */
export function parseExact(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!mayHoldLongNumber(text)) return parsed;
  // Wrapped, so that a number on its own has a holder too.
  const holder = [parsed];
  restoreExact(`[${text}]`, holder, NO_KNOWN_FIELDS);
  return holder[0];
}
