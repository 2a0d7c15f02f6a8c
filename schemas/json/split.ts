/** One JSON text cut out of a longer one, digits and white space untouched. */
export interface Piece {
  readonly text: string;
  /** Line of the whole text it begins on, from 1. */
  readonly line: number;
}

export interface SplitResult {
  readonly pieces: readonly Piece[];
  /** Why the text could not be read to its end; the pieces before it are whole. `position` counts UTF-16 units from 0. */
  readonly error?: { readonly message: string; readonly position: number };
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const NEWLINE = 10;

/**
 * The records of a request body or file: an array of events, one event (pretty-printed or not), or one event a line. What it
 * is shows from its first character and from where its first value ends.
 */
export function splitRecords(text: string): SplitResult {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (start === text.length) return { pieces: [] };
  if (text[start] === '[') return splitArray(text);
  const end = endOfValue(text, start);
  const whole = end !== undefined && skipSpace(text, end) === text.length;
  // A value that is not closed is one broken event, unless another begins on a line of its own.
  const broken = end === undefined && !text.includes('\n{', start);
  if (!whole && !broken) return { pieces: splitLines(text) };
  return { pieces: [{ text: cut(text, start, text.length), line: 1 + newlinesBetween(text, 0, start) }] };
}

/** The lines that hold anything. A malformed line is a piece like any other: reading it refuses that line alone. */
export function splitLines(text: string): Piece[] {
  const pieces: Piece[] = [];
  let line = 1;
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    // `cut` may not run over the line's end, else blank lines would repeat the next one.
    const piece = cut(text.slice(start, end), 0, end - start);
    if (piece !== '') pieces.push({ text: piece, line });
    start = end + 1;
  }
  return pieces;
}

/**
 * The elements of a JSON array. Cut by quotes and matching brackets: an element that is wrong within its own brackets is a
 * piece like any other, but where the array itself breaks off nothing after that place can be trusted.
 */
export function splitArray(text: string): SplitResult {
  const pieces: Piece[] = [];
  let line = 1;
  // Looked for once, not from every element on: an array on one line would be searched to its end again and again.
  let newline = text.indexOf('\n');
  const fail = (message: string, position: number): SplitResult => ({ pieces, error: { message, position } });

  let at = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (text[at] !== '[') return fail('an array is expected', at);
  at = skipSpace(text, at + 1);
  if (text[at] === ']') return endOfArray(text, at, pieces);
  for (;;) {
    const end = endOfValue(text, at);
    if (end === undefined) return fail('an element is not closed, or its brackets do not match', at);
    if (end === at) return fail(at === text.length ? 'the array is not closed' : 'an element is expected', at);
    for (; newline !== -1 && newline < at; newline = text.indexOf('\n', newline + 1)) line++;
    pieces.push({ text: cut(text, at, end), line });
    at = skipSpace(text, end);
    if (text[at] === ']') return endOfArray(text, at, pieces);
    if (text[at] !== ',') return fail(at === text.length ? 'the array is not closed' : 'a comma is expected', at);
    at = skipSpace(text, at + 1);
  }
}

function endOfArray(text: string, at: number, pieces: readonly Piece[]): SplitResult {
  const rest = skipSpace(text, at + 1);
  return rest === text.length ? { pieces } : { pieces, error: { message: 'text follows the array', position: rest } };
}

/** The index after the value that begins at `at`; undefined when a string or bracket in it is not closed by its own kind. */
function endOfValue(text: string, at: number): number | undefined {
  const closers: number[] = [];
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      if (at >= text.length) return undefined;
    } else if (code === 123 || code === 91) {
      closers.push(code + 2);
      continue;
    } else if (code === 125 || code === 93) {
      if (closers.length === 0) return at;
      if (closers.pop() !== code) return undefined;
    } else if (closers.length > 0) {
      continue;
    } else if (code === COMMA || code === NEWLINE) {
      return at;
    } else {
      continue;
    }
    if (closers.length === 0) return at + 1;
  }
  return closers.length === 0 ? at : undefined;
}

/** The index of the closing quote, or the text's length. */
function endOfString(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** The text between, without the white space of JSON around it (other white space is not JSON's and stays, to be refused). */
function cut(text: string, from: number, to: number): string {
  const start = skipSpace(text, from);
  let end = to;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || code === NEWLINE || code === 13 || code === 9;
}

function newlinesBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
