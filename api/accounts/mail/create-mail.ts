import { hasMailServer, type MailServerConfig } from './mail-config.ts';
import { MailMisconfigured } from './mail-failures.ts';
import { createMailLog, type MailLogger } from './mail-log.ts';
import { createMailServer } from './mail-server.ts';
import type { SendMail } from './port.ts';

/**
 * Returns the function that sends mails: to the configured server, or, outside production, to the log. Throws
 * `MailMisconfigured`.
 */
export function createMail(
  { logger }: { readonly logger: MailLogger },
  config: MailServerConfig & { readonly production: boolean },
): SendMail {
  if (hasMailServer(config)) return createMailServer(config);
  if (config.production) throw new MailMisconfigured('SMTP_URL: is missing, and production needs it to send codes');
  return createMailLog({ logger });
}
