import { z } from 'zod';

/** Stored in lower case, so that addresses that differ only in case are one account. */
export const emailSchema = z
  .email()
  .max(254)
  .toLowerCase()
  .describe('E-mail address; case does not matter')
  .meta({ example: 'ada@example.org' });

export const usernameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{3,32}$/, 'must be 3 to 32 letters, digits, - and _')
  .describe('Username; unique, ignoring case')
  .meta({ example: 'ada' });

export const passwordSchema = z
  .string()
  .min(12)
  .max(128)
  .describe('Password')
  .meta({ example: 'otter-lamp-quarry-77' });

/** The token in the URL of an emailed link. */
export function linkTokenSchema(example: string) {
  return z.string().min(1).max(128).describe('`token` of the link').meta({ example });
}
