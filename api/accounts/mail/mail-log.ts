import type { SendMail } from './port.ts';

/** What the log of mails needs of pino. */
export interface MailLogger {
  warn(fields: object, message: string): void;
}

/**
 * Writes mails to the log instead of sending them: for a machine of one's own that has no mail server. The only place where a code or a link
 * may be logged, and never in production.
 */
export function createMailLog({ logger }: { readonly logger: MailLogger }): SendMail {
  return async ({ to, subject, text }) => {
    logger.warn({ mail: { to, subject, text } }, 'no mail server is configured: the mail stands here');
  };
}
