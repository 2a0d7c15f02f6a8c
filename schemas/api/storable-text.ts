import { z } from 'zod';

/** Says why a text that is not storable is refused. */
export const NOT_STORABLE = 'text without NUL and half characters is expected';

/** Whether PostgreSQL keeps a text, or finds one: it has no NUL in any, and no half of a surrogate pair in JSON; a query with one is broken to it. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Text that is kept in PostgreSQL, or looked for there. */
export function storableText(maxLength: number, minLength = 1) {
  return z.string().min(minLength).max(maxLength).refine(isStorable, NOT_STORABLE);
}
