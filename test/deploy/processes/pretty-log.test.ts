import { pino } from 'pino';
import { expect, test } from 'vitest';
import { prettyStream } from '#deploy/processes/pretty-log.ts';

const ESC = '\u001b';

/** Returns the terminal output of one log call. */
function shown(log: (logger: pino.Logger) => void, colors = false): string {
  const lines: string[] = [];
  const target = { write: (line: string) => void lines.push(line) };
  log(pino({ base: { pid: 1 }, timestamp: pino.stdTimeFunctions.isoTime }, prettyStream(target, { colors })));
  return lines.join('');
}

test('prints a readable line: time, level, message, fields', () => {
  expect(shown((log) => log.warn({ partition: 3, topic: 'events.v1' }, 'batch inserted'))).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: batch inserted \{"partition":3,"topic":"events\.v1"\}\n$/,
  );
});

test('uses colours only if they are enabled', () => {
  expect(shown((log) => log.info('started'))).not.toContain(ESC);
  expect(shown((log) => log.info('started'), true)).toContain(`${ESC}[32mINFO${ESC}[39m`);
});

test.each([
  ['a colour', `${ESC}[31mroot${ESC}[0m`, '\\x1b[31mroot\\x1b[0m'],
  ['the title of the window', `${ESC}]0;owned\u0007`, '\\x1b]0;owned\\x07'],
  ['one byte for the same', '\u009b2Jx', '\\x9b2Jx'],
  ['a line of its own', 'nginx\n[00:00:00.000] INFO: forged', 'nginx\\x0a[00:00:00.000] INFO: forged'],
  ['over the start of the line', 'nginx\rINFO', 'nginx\\x0dINFO'],
  ['text from right to left', 'exe\u202egpj', 'exe\\u{202e}gpj'],
  ['an invisible separator', 'a\u2028b', 'a\\u{2028}b'],
])('escapes %s in a process name', (_, name, harmless) => {
  const text = shown((log) => log.info({ procname: name, names: [name], inner: { [name]: 1 } }, `crash of ${name}`));
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(text.split(harmless)).toHaveLength(5);
});

test('prints the lines of a mail without a mail server, with a link to copy', () => {
  const mail = { to: `a${ESC}@example.org`, subject: 'Your code', text: 'Open\n\nhttp://localhost:8080/x?token=1\n' };
  expect(
    shown((log) => log.warn({ mail }, 'no mail server'))
      .split('\n')
      .slice(1),
  ).toEqual([
    '    To: a\\x1b@example.org',
    '    Subject: Your code',
    '',
    '    Open',
    '',
    '    http://localhost:8080/x?token=1',
    '',
  ]);
});

test('prints a stack as indented lines, and escapes the rest of an error', () => {
  const error = Object.assign(new Error(`cannot read ${ESC}[2J\nINFO: forged`), { code: `E${ESC}` });
  const text = shown((log) => log.error({ err: error }, 'unexpected'));
  expect(text).not.toContain(ESC);
  const [first, ...others] = text.trimEnd().split('\n');
  expect(first).toContain('ERROR: unexpected');
  expect(others.length).toBeGreaterThan(3);
  expect(others.every((line) => line.startsWith('    '))).toBe(true);
});
