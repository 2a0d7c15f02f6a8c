import type { SendMail } from './port.ts';

/** The part of the pino interface that the mail log uses. */
export interface MailLogger {
  warn(fields: object, message: string): void;
}

/**
 * Writes mails to the log instead of sending them, for a private machine without a mail server. It is the only place
 * that may log a code or a link, and is never used in production.
 */
export function createMailLog({ logger }: { readonly logger: MailLogger }): SendMail {
  return async ({ to, subject, text }) => {
    logger.warn({ mail: { to, subject, text } }, 'mail logged, because no mail server is configured');
  };
}
