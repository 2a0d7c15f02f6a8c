const INDENT = '  ';

/**
 * Indents JSON without parsing it, so that values keep their digits and characters. Returns text unchanged if it is no
 * JSON object or list.
 */
export function indentJson(text: string): string {
  if (!/^[[{]/.test(text) || text.includes('\n')) return text;
  let depth = 0;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^\s"[\]{},:]+/g, (token, at: number) => {
    if (/^\s/.test(token)) return '';
    if (token === '{' || token === '[') {
      if (isClosed(text, at)) return token;
      depth += 1;
      return `${token}${line(depth)}`;
    }
    if (token === '}' || token === ']') {
      if (isOpened(text, at)) return token;
      depth = Math.max(0, depth - 1);
      return `${line(depth)}${token}`;
    }
    if (token === ',') return `,${line(depth)}`;
    return token === ':' ? ': ' : token;
  });
}

function line(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}

/** Returns true if the object or list that starts here is empty. */
function isClosed(text: string, at: number): boolean {
  return /^.\s*[\]}]/s.test(text.slice(at, at + 100));
}

/** Returns true if the object or list that ends here is empty. */
function isOpened(text: string, at: number): boolean {
  return /[[{]\s*$/.test(text.slice(Math.max(0, at - 100), at));
}
