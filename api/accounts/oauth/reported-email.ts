import { emailSchema } from '#schemas/api/account-fields.ts';

/**
 * The address a provider reports, in the form addresses of ours have. What could not register here either counts as none: letters that
 * look like others would make two addresses of what people take for one.
 */
export function reportedEmail(value: unknown): string | undefined {
  return emailSchema.safeParse(value).data;
}
