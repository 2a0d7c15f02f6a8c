import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { codeMail, resetMail } from '#api/accounts/mail/account-mails.ts';
import { createMail } from '#api/accounts/mail/create-mail.ts';
import { MailMisconfigured, MailNotSent, MailRefused } from '#api/accounts/mail/mail-failures.ts';
import { createMailServer } from '#api/accounts/mail/mail-server.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
  readonly user: string | undefined;
}

/** A real mail server that stores every mail. */
async function mailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username ?? '' }) : done(new Error('wrong password')),
    onData(stream, session, done) {
      let source = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        source += chunk;
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source,
          user: session.user as string | undefined,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // clients that close the connection
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { received, port, url: `smtp://127.0.0.1:${port}` };
}

test('sends the code as text and HTML, from MAIL_FROM', async () => {
  const { received, url } = await mailServer();
  await createMailServer({ smtpUrl: url, from: 'Trapline <codes@example.org>' })(
    codeMail('ada@example.org', '042137', 5),
  );
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'codes@example.org', to: ['ada@example.org'], user: undefined });
  const source = received[0]?.source ?? '';
  expect(source).toMatch(/Content-Type: text\/plain/);
  expect(source).toMatch(/Content-Type: text\/html/);
  expect(source.match(/042137/g)).toHaveLength(2);
});

test('an address is one recipient, whatever characters it contains', async () => {
  const { received, url } = await mailServer();
  const send = createMailServer({ smtpUrl: url, from: 'codes@example.org' });
  await send(codeMail('"a,b"@example.org', '042137', 5));
  expect(received[0]?.to).toEqual(['"a,b"@example.org']);
  await send(codeMail('ada@example.org\r\nBcc: eve@example.org', '042137', 5)).catch(() => {});
  expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.org');
  for (const { source } of received) expect(source).not.toMatch(/^Bcc:/m);
});

test('escapes external text in the HTML', () => {
  const { html, text } = resetMail('ada@example.org', '<b>"ada"</b>', 'https://x.example/?a=1&token=\'"><script>', 60);
  expect(html).not.toMatch(/<b>|<script>/);
  expect(html).toContain('&lt;b&gt;&quot;ada&quot;&lt;/b&gt;');
  expect(html).toContain('href="https://x.example/?a=1&amp;token=&#39;&quot;&gt;&lt;script&gt;"');
  expect(text).toContain('https://x.example/?a=1&token=\'"><script>');
});

test('signs in with EMAIL_USER if the URL names no account', async () => {
  const { received, port, url } = await mailServer();
  const mail = codeMail('ada@example.org', '042137', 5);
  await createMailServer({ smtpUrl: url, user: 'me@example.org', password: 'right' })(mail);
  await createMailServer({ smtpUrl: `smtp://you:right@127.0.0.1:${port}`, user: 'me@example.org', password: 'x' })(
    mail,
  );
  expect(received.map(({ from, user }) => [from, user])).toEqual([
    ['me@example.org', 'me@example.org'],
    ['me@example.org', 'you'],
  ]);
});

test('a rejected recipient fails permanently, without the address in the error', async () => {
  const { url } = await mailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 })),
  });
  const send = createMailServer({ smtpUrl: url, from: 'codes@example.org' });
  const error = await send(codeMail('unknown@example.org', '042137', 5)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MailRefused);
  expect((error as Error).message).toBe('the mail server refused the mail (550)');
  expect((error as Error).cause).toBeUndefined();
});

test('a busy, unavailable or password-rejecting server is retried later', async () => {
  const busy = await mailServer({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('try later'), { responseCode: 451 })),
  });
  const strict = await mailServer();
  for (const config of [
    { smtpUrl: busy.url, from: 'codes@example.org' },
    { smtpUrl: 'smtp://127.0.0.1:1', from: 'codes@example.org' },
    { smtpUrl: strict.url, user: 'me@example.org', password: 'wrong' },
  ]) {
    await expect(createMailServer(config)(codeMail('ada@example.org', '042137', 5))).rejects.toBeInstanceOf(
      MailNotSent,
    );
  }
});

test('infers the provider of EMAIL_USER from its domain; others need SMTP_URL', () => {
  expect(() => createMailServer({ user: 'ann@gmail.com', password: 'x' })).not.toThrow();
  expect(() => createMailServer({ user: 'ann@example.org', password: 'x' })).toThrow(MailMisconfigured);
  expect(() => createMailServer({ smtpUrl: 'smtp://127.0.0.1' })).toThrow('MAIL_FROM');
});

test('without a mail server, the mail is logged, and production does not start', async () => {
  const lines: object[] = [];
  const logger = { warn: (fields: object) => void lines.push(fields) };
  await createMail({ logger }, { production: false })(codeMail('ada@example.org', '042137', 5));
  expect(lines).toMatchObject([{ mail: { to: 'ada@example.org', text: expect.stringContaining('042137') } }]);
  expect(() => createMail({ logger }, { production: true })).toThrow(MailMisconfigured);
});
