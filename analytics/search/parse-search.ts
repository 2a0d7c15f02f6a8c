import { readTokens, type Token } from './read-tokens.ts';
import { SearchError } from './search-error.ts';
import type { SearchNode } from './syntax-tree.ts';

const MAX_TERMS = 50;
const MAX_DEPTH = 20;

/**
 * Parses a search. The README in this folder describes the language.
 *
 *   or    = and ("or" and)*
 *   and   = unary (["and"] unary)*
 *   unary = "not" unary | "(" or ")" | field operator value | text
 *
 * Throws `SearchError` with the position of the error.
 */
export function parseSearch(text: string): SearchNode {
  const tokens = readTokens(text);
  let next = 0;
  let terms = 0;

  const node = readOr(0);
  const rest = peek();
  if (rest.kind !== 'end') throw new SearchError('there is no parenthesis to close', rest.at);
  return node;

  function peek(): Token {
    return tokens[next] as Token;
  }

  function readOr(depth: number): SearchNode {
    const parts = [readAnd(depth)];
    while (peek().kind === 'or') {
      next += 1;
      parts.push(readAnd(depth));
    }
    return joined('or', parts);
  }

  function readAnd(depth: number): SearchNode {
    const parts = [readUnary(depth)];
    for (;;) {
      const { kind } = peek();
      if (kind === 'end' || kind === 'or' || kind === ')') return joined('and', parts);
      if (kind === 'and') next += 1;
      parts.push(readUnary(depth));
    }
  }

  function readUnary(depth: number): SearchNode {
    const token = peek();
    if (depth > MAX_DEPTH) throw new SearchError('this is nested too deep', token.at);
    next += 1;
    switch (token.kind) {
      case 'not':
        return { kind: 'not', part: readUnary(depth + 1) };
      case '(': {
        const inside = readOr(depth + 1);
        if (peek().kind !== ')') throw new SearchError('this parenthesis is not closed', token.at);
        next += 1;
        return inside;
      }
      case 'text':
      case 'field':
        terms += 1;
        if (terms > MAX_TERMS) throw new SearchError(`there are more than ${MAX_TERMS} terms`, token.at);
        return token.kind === 'text' ? { kind: 'text', value: token.value } : token;
      default:
        throw new SearchError('expected a search term', token.at);
    }
  }
}

function joined(kind: 'and' | 'or', parts: readonly SearchNode[]): SearchNode {
  return parts.length === 1 ? (parts[0] as SearchNode) : { kind, parts };
}
