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
  email: z.string().describe('E-mail address, in lower case'),
  image: z.string().nullable().describe('URL of the avatar'),
  role: roleSchema.describe('Role of the user'),
  disabled: z.boolean().describe('True: the user cannot sign in, and their API keys are rejected'),
  endDate: z
    .string()
    .nullable()
    .describe('Time at which the account expires; from then on it is disabled. null: never'),
  emailVerified: z.boolean().describe('Whether the e-mail address is verified'),
  failedLoginAttempts: z.int().describe('Failed sign-ins since the last successful one'),
  lockUntil: z.string().nullable().describe('Time until which sign-in is locked; null: not locked'),
  createdAt: z.string().describe('Time of creation'),
  updatedAt: z.string().describe('Time of the last change'),
});
export type AdministeredUserBody = z.infer<typeof administeredUserSchema>;

export const administeredUserWithKeysSchema = administeredUserSchema.extend({
  activeKeys: z.int().describe('API keys that are neither revoked nor expired'),
  canSendPasswordLink: z
    .boolean()
    .describe('Whether a mail server is configured, so that POST …/password-link/send can send the user a link'),
});

export const userChangeSchema = z
  .strictObject({
    role: roleSchema.describe('New role of the user').optional(),
    disabled: z
      .boolean()
      .describe('true disables the account and ends all sessions; false enables it and ends a lockout')
      .optional(),
    endDate: futureTimeSchema
      .nullable()
      .describe('Time at which the account expires; from then on it is disabled. null: never')
      .optional(),
  })
  .meta({ example: { role: 'analyst', endDate: '2030-01-01T00:00:00Z' } });

/** A link to set a password. */
export const passwordLinkSchema = z.object({
  url: z.string().describe('One-time link with which the user sets a password'),
  expiresAt: z.string().describe('Time at which the link expires'),
});
export type PasswordLinkBody = z.infer<typeof passwordLinkSchema>;

/** The response when a password link is sent by email. */
export const sentPasswordLinkSchema = z.object({
  email: z.string().describe('E-mail address that the link is sent to').meta({ example: 'ada@example.org' }),
});
