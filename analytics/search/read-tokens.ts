import { SearchError } from './search-error.ts';
import type { Operator, SearchValue } from './syntax-tree.ts';

export type Token =
  | { readonly kind: '(' | ')' | 'and' | 'or' | 'not' | 'end'; readonly at: number }
  | { readonly kind: 'text'; readonly value: SearchValue; readonly at: number }
  | {
      readonly kind: 'field';
      readonly field: string;
      readonly operator: Operator;
      readonly value: SearchValue;
      readonly at: number;
    };

const SPACE = /\s/;
const FIELD = /([a-z_]+)(:(?:!=|>=|<=|=|>|<)?|!=|>=|<=|=|>|<)/iy;
const WORD_END = /[\s()"]/;
const KEYWORDS = new Set(['and', 'or', 'not']);

/** Splits a search into tokens. Throws `SearchError`. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && SPACE.test(text[at] as string)) at += 1;
    if (at >= text.length) break;
    const character = text[at];
    if (character === '(' || character === ')') {
      tokens.push({ kind: character, at });
      at += 1;
      continue;
    }
    FIELD.lastIndex = at;
    const named = FIELD.exec(text);
    if (named !== null) {
      const [all, field = '', sign = ''] = named;
      const { value, end } = readValue(text, at + all.length);
      tokens.push({ kind: 'field', field: field.toLowerCase(), operator: operatorOf(sign), value, at });
      at = end;
      continue;
    }
    const { value, end } = readValue(text, at);
    const keyword = value.text.toLowerCase();
    if (!value.quoted && KEYWORDS.has(keyword)) tokens.push({ kind: keyword as 'and' | 'or' | 'not', at });
    else tokens.push({ kind: 'text', value, at });
    at = end;
  }
  tokens.push({ kind: 'end', at });
  return tokens;
}

/** `:` alone means `=`. */
function operatorOf(sign: string): Operator {
  const operator = sign.startsWith(':') ? sign.slice(1) : sign;
  return operator === '' ? '=' : (operator as Operator);
}

/** Reads a quoted text or a word. In quotes, a backslash escapes the next character. */
function readValue(text: string, at: number): { readonly value: SearchValue; readonly end: number } {
  if (text[at] !== '"') {
    let end = at;
    while (end < text.length && !WORD_END.test(text[end] as string)) end += 1;
    if (end === at) throw new SearchError('expected a value', at);
    return { value: { text: text.slice(at, end), quoted: false, at }, end };
  }
  let inside = '';
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text[end];
    if (character === '"') {
      if (inside === '') throw new SearchError('the quoted text is empty', at);
      return { value: { text: inside, quoted: true, at }, end: end + 1 };
    }
    if (character === '\\' && end + 1 < text.length) {
      end += 1;
      inside += text[end];
    } else inside += character;
  }
  throw new SearchError('the quoted text does not end', at);
}
