/** Parsed string of a definition: a literal, one expression, or text with embedded expressions. */
export type Template =
  | { readonly kind: 'literal' }
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] };

export type TextPart = { readonly text: string } | { readonly expression: string };

const LITERAL: Template = { kind: 'literal' };
/**
 * Maximum number of unclosed `${`, each of which is scanned to the end of the string. The rest of the string is then
 * treated as text. Otherwise a string of one MiB could take hours.
 */
const MAX_UNCLOSED = 32;

/**
 * Parses `${ … }` in a string. A string that is a single expression has the value and type of that expression.
 * Expressions inside a longer string are converted to text. An unclosed `${` is plain text, because definitions also
 * contain scripts and regular expressions. The end of an expression is found as in jq: braces in strings and comments
 * are ignored, and strings may contain `\( … )`.
 */
export function parseTemplate(source: string): Template {
  if (!source.includes('${')) return LITERAL;
  const trimmed = source.trim();
  if (trimmed.startsWith('${') && endOfExpression(trimmed, 2) === trimmed.length - 1)
    return { kind: 'expression', expression: trimmed.slice(2, -1).trim() };
  const parts: TextPart[] = [];
  let from = 0;
  let unclosed = 0;
  for (let open = source.indexOf('${'); open >= 0 && unclosed < MAX_UNCLOSED; open = source.indexOf('${', open)) {
    const end = endOfExpression(source, open + 2);
    if (end < 0) {
      unclosed += 1;
      open += 2;
      continue;
    }
    if (open > from) parts.push({ text: source.slice(from, open) });
    parts.push({ expression: source.slice(open + 2, end).trim() });
    from = end + 1;
    open = from;
  }
  if (parts.length === 0) return LITERAL;
  if (from < source.length) parts.push({ text: source.slice(from) });
  return { kind: 'text', parts };
}

/**
 * Returns the expression inside `${ }`, or the string itself. Members that hold only expressions (`when`, `in`, `as` …)
 * accept both forms.
 */
export function bareExpression(source: string): string {
  const template = parseTemplate(source);
  return template.kind === 'expression' ? template.expression : source.trim();
}

const QUOTE = 0x22;
const HASH = 0x23;
const PARENTHESIS = 0x28;
const PARENTHESIS_END = 0x29;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/**
 * Returns the index of the brace that closes an expression, or -1 if it is not closed. `start` is an index inside the
 * expression. Compares character codes for speed.
 */
function endOfExpression(source: string, start: number): number {
  // Stack of open delimiters: a brace `{`, a bracket of a string interpolation `(`, or a string `"`.
  const open: number[] = [];
  let inside = BRACE;
  for (let at = start; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (inside === QUOTE) {
      if (code === BACKSLASH) {
        at++;
        if (source.charCodeAt(at) === PARENTHESIS) {
          open.push(inside);
          inside = PARENTHESIS;
        }
      } else if (code === QUOTE) inside = open.pop() ?? BRACE;
    } else if (code === QUOTE || code === BRACE || code === PARENTHESIS) {
      open.push(inside);
      inside = code;
    } else if (code === HASH) {
      const newline = source.indexOf('\n', at);
      if (newline >= 0) at = newline;
      // A comment on the last line would include the closing brace. So the last brace of the comment closes the
      // expression.
      else return open.length === 0 ? source.indexOf('}', at) : -1;
    } else if (code === BRACE_END || code === PARENTHESIS_END) {
      if (inside !== (code === BRACE_END ? BRACE : PARENTHESIS)) return -1;
      const around = open.pop();
      if (around === undefined) return at;
      inside = around;
    }
  }
  return -1;
}
