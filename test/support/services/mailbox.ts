import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { waitFor } from '../wait-for.ts';

export interface Mailbox {
  /** `smtp://…` */
  readonly url: string;
  /** Sources of the received mails, in order of arrival. */
  readonly mails: readonly { readonly to: string; readonly source: string }[];
  /** Resolves to the match of the expression in the first mail to this address that matches. */
  find(to: string, what: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a real mail server that accepts and stores every mail. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: { to: string; source: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      let source = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        source += chunk;
      });
      stream.on('end', () => {
        // Removes soft line breaks of quoted-printable, which would split a link.
        mails.push({
          to: envelope.rcptTo[0]?.address ?? '',
          source: source.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        done();
      });
    },
  });
  server.on('error', () => {}); // clients that close a connection
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    find: (to, what) =>
      waitFor(
        `a mail to ${to} with ${what}`,
        async () => mails.flatMap((mail) => (mail.to === to ? (what.exec(mail.source)?.[1] ?? []) : []))[0],
      ),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
