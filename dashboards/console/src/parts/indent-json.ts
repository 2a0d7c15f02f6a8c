const INDENT = '  ';

/** JSON in lines with indentation. Values keep their digits and letters, because nothing is parsed. Text that is no JSON object or list stays as it is. */
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

/** Whether nothing is in the object or list that begins here. */
function isClosed(text: string, at: number): boolean {
  return /^.\s*[\]}]/s.test(text.slice(at, at + 100));
}

/** Whether nothing is in the object or list that ends here. */
function isOpened(text: string, at: number): boolean {
  return /[[{]\s*$/.test(text.slice(Math.max(0, at - 100), at));
}
