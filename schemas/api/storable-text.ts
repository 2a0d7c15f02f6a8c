import { z } from 'zod';

/** Error message for text that cannot be stored. */
export const NOT_STORABLE = 'must be text without NUL and lone surrogates';

/**
 * Returns true if PostgreSQL can store the text or compare with it. Text must have no NUL, and JSON must have no lone
 * surrogates. PostgreSQL rejects a query that contains either.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Text that is stored in PostgreSQL or used in a query. */
export function storableText(maxLength: number, minLength = 1) {
  return z.string().min(minLength).max(maxLength).refine(isStorable, NOT_STORABLE);
}
