import { z } from 'zod';
import { messageId } from '../message-json.ts';
import { messageFacts, messageTitle, plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { MailAccess } from '../reach.ts';
import { oneByOne } from '../send-request.ts';

const MAX_RECIPIENTS = 10;
const ADDRESS = /^[^\s@,<>"]{1,64}@[A-Za-z0-9.-]{1,190}$/;

const settings = z.strictObject({
  to: z
    .string()
    .max(2_000)
    .refine(
      (text) =>
        addressesOf(text).length <= MAX_RECIPIENTS && addressesOf(text).every((address) => ADDRESS.test(address)),
      `must be 1 to ${MAX_RECIPIENTS} e-mail addresses, separated by commas`,
    )
    .meta({ title: 'Recipients', description: `E-mail addresses, separated by commas; at most ${MAX_RECIPIENTS}` }),
});

export const kind = defineOutputKind({
  label: 'E-mail',
  description: 'Sends an e-mail for each detection through the mail server of this installation.',
  order: 10,
  settings,
  secrets: z.strictObject({}),
  receiver: ['to'],
  unavailable: ({ mail }) => (mail === undefined ? 'this installation has no mail server: set SMTP_URL' : undefined),
  open: ({ reach, settings }) => openEmail(reach.mail as MailAccess, settings),
});

/**
 * Sends one mail per recipient. The same message has the same Message-ID, so that mail readers discard duplicates;
 * mails of one detection belong to one thread. A 5xx of the mail server refuses the message, after it was sent to the
 * other recipients. All other failures are retried for the remaining recipients. A delivery ends at its time limit; the
 * next one awaits a mail that is still in flight.
 */
export function openEmail({ send, isRefused }: MailAccess, { to }: z.output<typeof settings>): Output {
  const recipients = addressesOf(to);
  /** Mails of the latest attempted message, by recipient: sent mails and a mail in flight. */
  let latest: { readonly messageId: string; readonly mails: Map<string, Promise<void>> } | undefined;

  return oneByOne(async (message, signal) => {
    const mail = mailOf(message);
    if (latest?.messageId !== mail.messageId) latest = { messageId: mail.messageId, mails: new Map() };
    const { mails } = latest;
    let refusal: OutputFailure | undefined;
    for (const recipient of recipients) {
      if (signal.aborted) throw tooSlow();
      const sending = mails.get(recipient) ?? send({ to: recipient, ...mail });
      mails.set(recipient, sending);
      try {
        await beforeAbort(sending, signal);
      } catch (cause) {
        if (cause instanceof OutputFailure) throw cause;
        mails.delete(recipient);
        const text = cause instanceof Error ? cause.message : 'the mail could not be sent';
        if (!isRefused(cause)) throw new OutputFailure('temporary', text, { cause });
        refusal ??= new OutputFailure('permanent', text, { cause });
      }
    }
    latest = undefined;
    if (refusal !== undefined) throw refusal;
    return {
      answer:
        recipients.length === 1
          ? '1 e-mail sent to the mail server'
          : `${recipients.length} e-mails sent to the mail server`,
    };
  });
}

/** Awaits `work`, but rejects with an `OutputFailure` if the signal aborts first. */
async function beforeAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(tooSlow());
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function tooSlow(): OutputFailure {
  return new OutputFailure('temporary', 'the mail server was too slow');
}

function mailOf(message: OutputMessage) {
  const facts = messageFacts(message).map(([name, value]) => `${name}: ${value}`);
  return {
    subject: messageTitle(message, 200),
    paragraphs: [shortened(plainText(message.detection.message), 2_000), ...facts],
    messageId: `<${messageId(message).replaceAll(':', '.')}.${message.at.getTime()}@trapline>`,
    threadId: `<${message.detection.id}@trapline>`,
  };
}

function addressesOf(text: string): string[] {
  return text.split(',').map((address) => address.trim());
}
