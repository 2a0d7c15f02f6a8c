import { emailSchema } from '#schemas/api/account-fields.ts';

/**
 * Returns the address that a provider reports, in the form in which addresses are stored. Returns undefined for an
 * address that could not register here: lookalike letters would make two addresses of what people read as one.
 */
export function reportedEmail(value: unknown): string | undefined {
  return emailSchema.safeParse(value).data;
}
