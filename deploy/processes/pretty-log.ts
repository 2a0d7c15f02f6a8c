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
      target.write(format(harmless(JSON.parse(line), '') as object));
    },
  };
}

/** The same value with harmless texts and names. The stack of an error keeps its lines, which are indented when they are written. */
function harmless(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return name === 'stack' ? value.split('\n').map(terminalText).join('\n') : terminalText(value);
  if (Array.isArray(value)) return value.map((item) => harmless(item, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [terminalText(key), harmless(inner, key)]));
}
