import { expect, onTestFinished, test } from 'vitest';
import { outputKind } from '#api/outputs/kind-registry.ts';
import { outputMail } from '#deploy/processes/platform/output-mail.ts';
import { startMailbox } from '#test/support/services/mailbox.ts';
import { failure, outboundFetch, soon } from '../deliveries.ts';
import { message } from '../fixture.ts';

const kind = outputKind('email');
const from = 'Trapline <alerts@example.org>';
const open = (smtpUrl: string, to: string) =>
  kind.open({
    reach: { ...outboundFetch(), mail: outputMail({ smtpUrl, from }) },
    outputId: 'out_1',
    settings: { to },
    secrets: {},
  });

test('each recipient gets a mail; a repeat has the same Message-ID, and names of attackers add no header', async () => {
  const mailbox = await startMailbox();
  onTestFinished(() => mailbox.stop());
  const output = open(mailbox.url, 'ann@example.org, bob@example.org');
  const one = message({ hostname: 'web-1\r\nBcc: evil@example.org', procname: '<b>x</b>' });
  expect(await output.deliver([one], soon())).toEqual({ answer: '2 e-mails sent to the mail server' });
  await output.deliver([one], soon());
  expect(mailbox.mails.map(({ to }) => to)).toEqual(['ann', 'bob', 'ann', 'bob'].map((name) => `${name}@example.org`));
  const headers = mailbox.mails.map(({ source }) => source.slice(0, source.indexOf('\r\n\r\n')));
  expect(new Set(headers.map((text) => /^Message-ID: (.*)/im.exec(text)?.[1])).size).toBe(1);
  for (const text of headers) {
    expect(text).toContain(`<${one.detection.id}@trapline>`);
    expect(text).not.toMatch(/^Bcc:/im);
  }
  expect(mailbox.mails[0]?.source).toContain('&lt;b&gt;x&lt;/b&gt;');
});

/** A mail server that responds with the error that `answerOf` throws, and collects the recipients of accepted mails. */
function mailWith(answerOf: (to: string) => Error | undefined) {
  const taken: string[] = [];
  const mail = {
    async send({ to }: { to: string }) {
      const error = answerOf(to);
      if (error !== undefined) throw error;
      taken.push(to);
    },
    isRefused: (error: unknown) => error instanceof RangeError,
  };
  const settings = { to: 'ann@example.org, bob@example.org, eve@example.org' };
  const reach = { ...outboundFetch(), mail };
  return { taken, output: kind.open({ reach, outputId: 'out_1', settings, secrets: {} }) };
}

test('a rejected recipient does not prevent mail to the others', async () => {
  const { taken, output } = mailWith((to) => (to.startsWith('ann') ? new RangeError('550 no such user') : undefined));
  const failed = await failure(output.deliver([message()], soon()));
  expect(failed).toMatchObject({ kind: 'permanent', message: '550 no such user' });
  expect(taken).toEqual(['bob@example.org', 'eve@example.org']);
});

test('a retried recipient causes no second mail to the others', async () => {
  let isBusy = true;
  const { taken, output } = mailWith((to) => (to.startsWith('bob') && isBusy ? new Error('451 try later') : undefined));
  const one = message();
  expect(await failure(output.deliver([one], soon()))).toMatchObject({ kind: 'temporary' });
  isBusy = false;
  await output.deliver([one], soon());
  expect(taken).toEqual(['ann@example.org', 'bob@example.org', 'eve@example.org']);
  await output.deliver([message()], soon());
  expect(taken).toHaveLength(6);
});

test('a delivery to a slow mail server ends at its time limit, and the next one sends no second mail', async () => {
  const accepted = Promise.withResolvers<void>();
  const stop = new AbortController();
  const taken: string[] = [];
  const mail = {
    async send({ to }: { to: string }) {
      taken.push(to);
      stop.abort();
      await accepted.promise;
    },
    isRefused: () => false,
  };
  const settings = { to: 'ann@example.org' };
  const output = kind.open({ reach: { ...outboundFetch(), mail }, outputId: 'out_1', settings, secrets: {} });
  const one = message();
  expect(await failure(output.deliver([one], stop.signal))).toMatchObject({ kind: 'temporary' });
  accepted.resolve();
  expect(await output.deliver([one], soon())).toEqual({ answer: '1 e-mail sent to the mail server' });
  expect(taken).toEqual(['ann@example.org']);
});

test('retries an unavailable mail server', async () => {
  const failed = await failure(open('smtp://127.0.0.1:1', 'ann@example.org').deliver([message()], soon()));
  expect(failed).toMatchObject({ kind: 'temporary', message: expect.stringContaining('did not accept the mail') });
});

test('without a mail server the kind names the setting; invalid addresses are rejected', () => {
  expect(kind.unavailable?.(outboundFetch())).toContain('SMTP_URL');
  expect(kind.settings.safeParse({ to: 'ann@example.org,' }).success).toBe(false);
  expect(kind.settings.safeParse({ to: 'a@b, "x" <c@d>' }).success).toBe(false);
});
