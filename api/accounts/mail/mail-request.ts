import { z } from 'zod';

/** What a job of the queue `mail` is to do. No code and no token stands in it: they are made when the mail is. */
export const mailRequestSchema = z.object({
  kind: z.enum(['code', 'reset', 'password-link', 'email-change', 'email-changed']),
  /** Lower case. */
  email: z.string(),
  /** Whose address is changed, or who gets a password link. */
  userId: z.string().optional(),
  origin: z.object({ ip: z.string(), userAgent: z.string(), requestId: z.string() }),
});
export type MailRequest = z.infer<typeof mailRequestSchema>;

export const MAIL_QUEUE = 'mail';
