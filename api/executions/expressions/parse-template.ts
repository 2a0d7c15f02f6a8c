/** What a string of a definition means: itself, the value of an expression, or a text with expressions in it. */
export type Template =
  | { readonly kind: 'literal' }
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] };

export type TextPart = { readonly text: string } | { readonly expression: string };

const LITERAL: Template = { kind: 'literal' };
/**
 * Each `${` whose brace does not close is read to the end of the text. After so many of them the rest of the text holds no expressions: a text of a
 * mebibyte would otherwise take hours.
 */
const MAX_UNCLOSED = 32;

/**
 * Reads `${ … }` in a string. A string that is one expression from end to end gives its value, whatever its type; expressions inside a longer text
 * are put in as text. Where the braces of an expression do not close, the `${` is text: definitions hold scripts and regular expressions too.
 * The end of an expression is found as jq would: braces inside strings and comments do not count, and strings may hold `\( … )` with expressions.
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

/** The expression inside `${ }`, or the string itself: places that only take expressions (`when`, `in`, `as` …) take both forms. */
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

/** Where the brace that closes an expression stands, from a place inside it; -1 when it is not closed. Compares codes: it reads every character. */
function endOfExpression(source: string, start: number): number {
  // What is open: a brace `{`, a bracket of a string interpolation `(`, or a string `"`.
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
      // A comment on the last line would take the brace with it: what closes is the last brace then.
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
