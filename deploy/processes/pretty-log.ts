import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { terminalText } from '#analytics/formats/terminal-text.ts';

/**
 * Returns a stream that converts the JSON lines of pino to text, synchronously. Names in log lines may come from
 * attackers. Terminal control characters are escaped, so that a line cannot imitate other output.
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

/** An email that is logged because there is no mail server. Its line breaks are kept, so that links can be copied. */
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

/**
 * Returns the value with escaped strings and names. The stack of an error keeps its line breaks; its lines are indented
 * on output.
 */
function harmless(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return name === 'stack' ? value.split('\n').map(terminalText).join('\n') : terminalText(value);
  if (Array.isArray(value)) return value.map((item) => harmless(item, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [terminalText(key), harmless(inner, key)]));
}
