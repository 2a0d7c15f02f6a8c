import { ScimError } from '../scim-error.ts';

/** A filter of RFC 7644, section 3.4.2.2. Attribute names are in lower case, without the URN of a schema. */
export type Filter =
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'compare'; readonly attribute: string; readonly operator: Operator; readonly value: FilterValue }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** `emails[type eq "work"]`: at least one value of a list matches. */
  | { readonly kind: 'element'; readonly attribute: string; readonly filter: Filter };

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];
export type FilterValue = string | number | boolean | null;

const MAX_LENGTH = 4_096;
const MAX_DEPTH = 16;
const TOKENS = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Parses a filter. Operators and names are case-insensitive; `and` takes precedence over `or`.
 * @throws ScimError invalidFilter
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalid(`a filter has at most ${MAX_LENGTH} characters`);
  const reader = createReader(tokensOf(text));
  const filter = readOr(reader, 0, false);
  if (reader.peek() !== undefined) throw invalid(`unexpected "${reader.peek()?.text}"`);
  return filter;
}

/** Returns the normalised name of an attribute in filters. */
export function attributeName(text: string): string {
  const bare = text.replace(/^urn:[^\s]+:(?=[^:]+$)/i, '');
  if (!/^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/i.test(bare)) throw invalid(`"${text}" is not the name of an attribute`);
  return bare.toLowerCase();
}

type Reader = ReturnType<typeof createReader>;

function createReader(tokens: readonly Token[]) {
  let at = 0;
  return {
    peek: () => tokens[at],
    take(): Token {
      const token = tokens[at];
      if (token === undefined) throw invalid('the filter ends too early');
      at += 1;
      return token;
    },
    /** Consumes the next token if it is this word. */
    accept(word: string): boolean {
      const token = tokens[at];
      const found = token !== undefined && !token.quoted && token.text.toLowerCase() === word;
      if (found) at += 1;
      return found;
    },
  };
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKENS.lastIndex < end) {
    const match = TOKENS.exec(text);
    if (match === null) throw invalid('a quotation mark is not closed');
    tokens.push({ text: match[1] ?? match[2] ?? match[3] ?? '', quoted: match[2] !== undefined });
  }
  return tokens;
}

function readOr(reader: Reader, depth: number, inside: boolean): Filter {
  if (depth > MAX_DEPTH) throw invalid(`a filter is nested at most ${MAX_DEPTH} deep`);
  const filters = [readAnd(reader, depth, inside)];
  while (reader.accept('or')) filters.push(readAnd(reader, depth, inside));
  return joined('or', filters);
}

function readAnd(reader: Reader, depth: number, inside: boolean): Filter {
  const filters = [readTerm(reader, depth, inside)];
  while (reader.accept('and')) filters.push(readTerm(reader, depth, inside));
  return joined('and', filters);
}

function readTerm(reader: Reader, depth: number, inside: boolean): Filter {
  if (reader.accept('not')) {
    if (!reader.accept('(')) throw invalid('"not" needs parentheses');
    return { kind: 'not', filter: readClosed(reader, depth, inside, ')') };
  }
  if (reader.accept('(')) return readClosed(reader, depth, inside, ')');
  const name = reader.take();
  if (name.quoted) throw invalid('expected the name of an attribute before a value');
  const attribute = attributeName(name.text);
  if (reader.accept('[')) {
    if (inside) throw invalid('a filter of elements holds no other');
    return { kind: 'element', attribute, filter: readClosed(reader, depth, true, ']') };
  }
  if (reader.accept('pr')) return { kind: 'present', attribute };
  const word = reader.take();
  const operator = OPERATORS.find((one) => !word.quoted && one === word.text.toLowerCase());
  if (operator === undefined) throw invalid(`"${word.text}" is not an operator`);
  return { kind: 'compare', attribute, operator, value: literalOf(reader.take()) };
}

function readClosed(reader: Reader, depth: number, inside: boolean, end: string): Filter {
  const filter = readOr(reader, depth + 1, inside);
  if (!reader.accept(end)) throw invalid(`"${end}" is missing`);
  return filter;
}

function joined(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [first, ...others] = filters;
  return others.length === 0 && first !== undefined ? first : { kind, filters };
}

function literalOf({ text }: Token): FilterValue {
  let value: unknown;
  try {
    // Values are JSON; some clients write True and False.
    value = JSON.parse(/^(?:true|false|null)$/i.test(text) ? text.toLowerCase() : text);
  } catch {
    value = undefined;
  }
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as FilterValue;
  throw invalid(`"${text}" is not a value`);
}

function invalid(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidFilter');
}
