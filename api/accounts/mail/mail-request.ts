import { z } from 'zod';

/** Changes of second factors that the owner of the account is notified of. */
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
  /** Whose address is changed, or who gets a password link. */
  userId: z.string().optional(),
  /** Of a second factor. */
  change: z.enum(FACTOR_CHANGES).optional(),
  /** Which key ends or was found. */
  key: z
    .object({
      keyId: z.string(),
      label: z.string(),
      expiresAt: z.string().optional(),
      revoked: z.boolean().optional(),
      /** It was the secret before a rotation that was found and ended; the key goes on. */
      replaced: z.boolean().optional(),
      url: z.string().optional(),
    })
    .optional(),
  origin: z.object({ ip: z.string(), userAgent: z.string(), requestId: z.string() }),
});
export type MailRequest = z.infer<typeof mailRequestSchema>;

export const MAIL_QUEUE = 'mail';
