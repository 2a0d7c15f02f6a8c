import { z } from 'zod';
import { futureTimeSchema } from './future-time.ts';
import { roleSchema } from './roles.ts';

export const userIdSchema = z
  .guid()
  .describe('Id of the user')
  .meta({ example: '6f1a5b0e-58c1-4f0e-9d58-0f2c7d1f6a11' });

/** An account, as shown to administrators. */
export const administeredUserSchema = z.object({
  id: z.string().describe('Id of the user'),
  username: z.string().describe('Name of the account'),
  email: z.string().describe('Address, in lower case'),
  image: z.string().nullable().describe('Address of a picture'),
  role: roleSchema.describe('What the user may do'),
  disabled: z.boolean().describe('True: nothing works, neither sign-in nor keys'),
  endDate: z.string().nullable().describe('From then on the account counts as disabled; null: never'),
  emailVerified: z.boolean().describe('Whether the address is known to be theirs'),
  failedLoginAttempts: z.int().describe('Wrong passwords since the last right one'),
  lockUntil: z.string().nullable().describe('Sign-in is refused until then; null: it is not'),
  createdAt: z.string().describe('When the account was made'),
  updatedAt: z.string().describe('When it was changed last'),
});
export type AdministeredUserBody = z.infer<typeof administeredUserSchema>;

export const administeredUserWithKeysSchema = administeredUserSchema.extend({
  activeKeys: z.int().describe('Keys that are neither revoked nor expired'),
  canSendPasswordLink: z
    .boolean()
    .describe('True: a mail server is configured, and POST …/password-link/send sends the user a link'),
});

export const userChangeSchema = z
  .strictObject({
    role: roleSchema.describe('What the user may do from now on').optional(),
    disabled: z.boolean().describe('True ends all sessions; false ends a lockout too').optional(),
    endDate: futureTimeSchema
      .nullable()
      .describe('From then on the account counts as disabled; null: never')
      .optional(),
  })
  .meta({ example: { role: 'analyst', endDate: '2030-01-01T00:00:00Z' } });

/** A link to set a password. */
export const passwordLinkSchema = z.object({
  url: z.string().describe('Where the user sets a password, once'),
  expiresAt: z.string().describe('From then on the link is rejected'),
});
export type PasswordLinkBody = z.infer<typeof passwordLinkSchema>;

/** The response when a password link is sent by email. */
export const sentPasswordLinkSchema = z.object({
  email: z.string().describe('Address that the mail goes to').meta({ example: 'ada@example.org' }),
});
