import { terminalText } from '#analytics/formats/terminal-text.ts';

/** Characters with a meaning anywhere in Markdown, its tables or embedded HTML. */
const SPECIAL = /[\\`*_{}[\]<>#|~@&$]/g;
/** Characters that begin a list, a heading or a horizontal rule at the start of a line. */
const FIRST = /^(\s*)([-+=])/;
const FIRST_NUMBER = /^(\s*\d+)([.)])/;
/** Prefix that becomes a link without a scheme. */
const WWW = /(www)\./gi;

/** Escapes text of any origin for Markdown, on one line. Control characters are written as `\x1b`. */
export function markdownText(text: string): string {
  return terminalText(text)
    .replaceAll(SPECIAL, '\\$&')
    .replace(FIRST, '$1\\$2')
    .replace(FIRST_NUMBER, '$1\\$2')
    .replaceAll('://', ':\\/\\/')
    .replaceAll(WWW, '$1\\.');
}

/** A backslash before `|`: some renderers parse the pair as an escaped backslash, and the cell ends. */
const AMBIGUOUS = /\\\|/;

/**
 * Renders text as Markdown code, in which nothing is interpreted. Text that could end a table cell inside code is
 * rendered as plain text.
 */
export function markdownCode(text: string): string {
  const safe = terminalText(text);
  if (safe === '') return '–';
  if (AMBIGUOUS.test(safe)) return markdownText(text);
  const longest = Math.max(0, ...Array.from(safe.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = safe.startsWith('`') || safe.endsWith('`') ? ' ' : '';
  // `|` ends a table cell even within code.
  return `${fence}${padding}${safe.replaceAll('|', '\\|')}${padding}${fence}`;
}

/** Renders a user's text as a quotation: nothing in it is interpreted, and line breaks are kept. */
export function markdownQuote(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${markdownText(line)}`.trimEnd())
    .join('  \n');
}
