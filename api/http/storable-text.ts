import { z } from 'zod';

/** Text that PostgreSQL can be asked for: it has no NUL in any text, and refuses a query with one as broken. */
export function storableText(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !text.includes('\0'), 'text without NUL is expected');
}
