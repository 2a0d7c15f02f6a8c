import { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import nodemailer from 'nodemailer';
import wellKnown from 'nodemailer/lib/well-known';
import { connectionProblem } from '#schemas/connection-problem.ts';
import type { MailServerConfig } from './mail-config.ts';
import { MailMisconfigured, MailNotSent, MailRefused } from './mail-failures.ts';
import type { Mail, SendMail } from './port.ts';

/** Time-outs in ms. A mail to a slower server is retried later. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Sends mails through the server of `SMTP_URL`, or the provider of `EMAIL_USER`. A password is never sent in the clear
 * to another machine, unless the URL permits it (`?requireTLS=false`). Rejects with `MailRefused` or `MailNotSent`;
 * throws `MailMisconfigured` synchronously.
 */
export function createMailServer(config: MailServerConfig): SendMail {
  const from = config.from ?? config.user;
  if (from === undefined) throw new MailMisconfigured('MAIL_FROM: is missing: mails need a sender');
  const transport = nodemailer.createTransport({
    ...serverOf(config),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, ...mail }: Mail) => {
    try {
      // An object is used as a single address; a string would be parsed as a list.
      await transport.sendMail({ from, to: { name: '', address: to }, ...mail });
    } catch (error) {
      const { responseCode, code } = error as { responseCode?: number; code?: string };
      // A rejected password is a configuration error, not an error of the mail.
      if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH')
        throw new MailRefused(`the mail server refused the mail (${responseCode})`);
      const problem = responseCode ?? connectionProblem(systemError(error)) ?? code ?? 'unknown';
      throw new MailNotSent(`the mail server did not accept the mail: ${problem}`);
    }
  };
}

/** Returns an error with the code of the system. nodemailer replaces the code with the part of the exchange that failed. */
function systemError(error: unknown): unknown {
  const { errno } = error as NodeJS.ErrnoException;
  if (errno === undefined || errno >= 0) return error;
  return Object.assign(new Error('system error', { cause: error }), { code: getSystemErrorName(errno) });
}

function serverOf({ smtpUrl, user, password }: MailServerConfig) {
  const account = user === undefined ? {} : { auth: { user, pass: password ?? '' } };
  if (smtpUrl === undefined) {
    const service = user === undefined ? undefined : wellKnown(user);
    if (!service) throw new MailMisconfigured('EMAIL_USER: its provider is not known; set SMTP_URL');
    const { host, port, secure = false, authMethod } = service;
    return {
      ...account,
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port: Number(port) }),
      ...(authMethod === undefined ? {} : { authMethod }),
      secure,
      requireTLS: true,
    };
  }
  const url = new URL(smtpUrl);
  const signsIn = url.username !== '' || user !== undefined;
  const saysItself = url.searchParams.has('requireTLS') || url.searchParams.has('ignoreTLS');
  return {
    url: smtpUrl,
    ...(url.username === '' ? account : {}),
    ...(signsIn && !saysItself && !isLocal(url.hostname) ? { requireTLS: true } : {}),
  };
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}
