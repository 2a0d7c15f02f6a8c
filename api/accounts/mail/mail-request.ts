import { z } from 'zod';

/** Changes of second factors of which the account owner is notified. */
const FACTOR_CHANGES = [
  'totp-added',
  'totp-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-created',
  'recovery-code-used',
  'reset',
] as const;
export type FactorChange = (typeof FACTOR_CHANGES)[number];

/** The input of a job of the queue `mail`. It contains no code and no token: they are created when the mail is sent. */
export const mailRequestSchema = z.object({
  kind: z.enum([
    'code',
    'reset',
    'password-link',
    'email-change',
    'email-changed',
    'second-factor',
    'key-expiry',
    'key-leak',
  ]),
  /** Lower case. */
  email: z.string(),
  /** The account whose address changes, or which gets a password link. */
  userId: z.string().optional(),
  /** The change of a second factor. */
  change: z.enum(FACTOR_CHANGES).optional(),
  /** The key that expires or was found. */
  key: z
    .object({
      keyId: z.string(),
      label: z.string(),
      expiresAt: z.string().optional(),
      revoked: z.boolean().optional(),
      /** True if the leaked secret was the one before a rotation, whose overlap has ended; the key stays valid. */
      replaced: z.boolean().optional(),
      url: z.string().optional(),
    })
    .optional(),
  origin: z.object({ ip: z.string(), userAgent: z.string(), requestId: z.string() }),
});
export type MailRequest = z.infer<typeof mailRequestSchema>;

export const MAIL_QUEUE = 'mail';
