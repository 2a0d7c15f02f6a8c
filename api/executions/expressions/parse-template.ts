/** What a string of a definition means: itself, the value of an expression, or a text with expressions in it. */
export type Template =
  | { readonly kind: 'literal' }
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] };

export type TextPart = { readonly text: string } | { readonly expression: string };

const LITERAL: Template = { kind: 'literal' };

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
  for (let open = source.indexOf('${'); open >= 0; open = source.indexOf('${', open)) {
    const end = endOfExpression(source, open + 2);
    if (end < 0) {
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

/** Where the brace that closes an expression stands, from a place inside it; -1 when there is none. */
function endOfExpression(source: string, start: number): number {
  // What is open: a brace `{`, a bracket of a string interpolation `(`, or a string `"`.
  const open: string[] = ['{'];
  for (let at = start; at < source.length; at++) {
    const char = source[at];
    if (open.at(-1) === '"') {
      if (char === '\\') {
        if (source[at + 1] === '(') open.push('(');
        at++;
      } else if (char === '"') open.pop();
    } else if (char === '"') open.push('"');
    else if (char === '#') {
      const newline = source.indexOf('\n', at);
      if (newline >= 0) at = newline;
      // A comment on the last line would take the brace with it: what closes is the last brace then.
      else return open.length === 1 ? source.indexOf('}', at) : -1;
    } else if (char === '{' || char === '(') open.push(char);
    else if (char === '}' || char === ')') {
      if (open.pop() !== (char === '}' ? '{' : '(')) return -1;
      if (open.length === 0) return at;
    }
  }
  return -1;
}
