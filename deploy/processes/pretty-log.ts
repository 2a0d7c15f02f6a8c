import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { terminalText } from '#analytics/formats/terminal-text.ts';

/**
 * A stream that takes the JSON lines of pino and writes text for people, each before `write` returns. Names in it come from hosts that are
 * attacked: what a terminal could act on is written as an escape, so that a line is what it seems to be.
 */
export function prettyStream(target: DestinationStream, { colors }: { readonly colors: boolean }): DestinationStream {
  const format = prettyFactory({
    colorize: colors,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
  });
  return {
    write(line) {
      const { mail, ...fields } = JSON.parse(line) as { readonly mail?: LoggedMail };
      target.write(format(harmless(fields, '') as object) + mailText(mail));
    },
  };
}

/** A mail that is logged because there is no mail server. Its links are to be copied, so its lines stay lines. */
interface LoggedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

function mailText(mail: LoggedMail | undefined): string {
  if (mail === undefined) return '';
  const lines = [`To: ${mail.to}`, `Subject: ${mail.subject}`, '', ...String(mail.text).trim().split('\n')];
  return lines
    .map((line) => `    ${terminalText(line)}`.trimEnd())
    .join('\n')
    .concat('\n');
}

/** The same value with harmless texts and names. The stack of an error keeps its lines, which are indented when they are written. */
function harmless(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return name === 'stack' ? value.split('\n').map(terminalText).join('\n') : terminalText(value);
  if (Array.isArray(value)) return value.map((item) => harmless(item, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [terminalText(key), harmless(inner, key)]));
}
