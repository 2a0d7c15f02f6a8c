import { terminalText } from '#analytics/formats/terminal-text.ts';

/** Characters that Markdown, its tables or HTML within it act on anywhere. */
const SPECIAL = /[\\`*_{}[\]<>#|~@&$]/g;
/** What begins a list, a heading or a line across when it stands first. */
const FIRST = /^(\s*)([-+=])/;
const FIRST_NUMBER = /^(\s*\d+)([.)])/;
/** What becomes a link without a scheme. */
const WWW = /(www)\./gi;

/** Text of any origin as text in Markdown: what could act on it is escaped, control characters are shown as `\x1b`. On one line. */
export function markdownText(text: string): string {
  return terminalText(text)
    .replaceAll(SPECIAL, '\\$&')
    .replace(FIRST, '$1\\$2')
    .replace(FIRST_NUMBER, '$1\\$2')
    .replaceAll('://', ':\\/\\/')
    .replaceAll(WWW, '$1\\.');
}

/** A backslash before `|`: some renderers take the pair for an escaped backslash, and the cell ends. */
const AMBIGUOUS = /\\\|/;

/** The same as code: nothing within it is acted on. Text that could leave the cell of a table in code stands as text. */
export function markdownCode(text: string): string {
  const safe = terminalText(text);
  if (safe === '') return '–';
  if (AMBIGUOUS.test(safe)) return markdownText(text);
  const longest = Math.max(0, ...Array.from(safe.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = safe.startsWith('`') || safe.endsWith('`') ? ' ' : '';
  // A cell of a table ends at `|`, also within code.
  return `${fence}${padding}${safe.replaceAll('|', '\\|')}${padding}${fence}`;
}

/** Text with lines that a user wrote, as a quotation: nothing within it is acted on, and its lines stay. */
export function markdownQuote(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${markdownText(line)}`.trimEnd())
    .join('  \n');
}
