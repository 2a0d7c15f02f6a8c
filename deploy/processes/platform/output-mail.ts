import { composeMail } from '#api/accounts/mail/compose.ts';
import type { MailServerConfig } from '#api/accounts/mail/mail-config.ts';
import type { MailAccess } from '#api/outputs/reach.ts';

/**
 * Returns access to the configured mail server for outputs; undefined without one. The client is loaded with the first
 * email.
 */
export function outputMail(config: MailServerConfig): MailAccess | undefined {
  if (config.smtpUrl === undefined && config.user === undefined) return undefined;
  return {
    async send({ to, subject, paragraphs, messageId, threadId }) {
      const { createMailServer } = await import('#api/accounts/mail/mail-server.ts');
      await createMailServer(config)({ ...composeMail(to, subject, paragraphs), messageId, references: threadId });
    },
    isRefused: (error) => error instanceof Error && error.name === 'MailRefused',
  };
}
