/** A part of a line. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

/** A block of a text. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] };

export interface ListItem {
  readonly content: readonly Inline[];
  /** Quotation below the item. */
  readonly quote: readonly (readonly Inline[])[];
}

/** The line before a code block, with the name of its language. */
const FENCE = /^```\w*$/;
/** Start of a line that ends a paragraph. */
const STARTS_BLOCK = /^(?:$|```\w*$|#{1,6} |\| |- |>)/;

/**
 * Parses the Markdown of an API report or a comment to blocks. Supports only the Markdown of reports and fenced code;
 * everything else is text. `keepLines`: consecutive lines of text are one paragraph and keep their line breaks.
 */
export function markdownBlocks(
  markdown: string,
  { keepLines = false }: { readonly keepLines?: boolean } = {},
): Block[] {
  const lines = markdown.split('\n').map((line) => line.trimEnd());
  const blocks: Block[] = [];
  let at = 0;
  const take = (matches: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && matches(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    if (line === '') at += 1;
    else if (FENCE.test(line)) {
      at += 1;
      const code = take((one) => one !== '```');
      at += 1;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (heading !== null) {
      at += 1;
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, content: inlines(heading[2] ?? '') });
    } else if (line.startsWith('| '))
      blocks.push({ kind: 'table', rows: tableRows(take((one) => one.startsWith('|'))) });
    else if (line.startsWith('- '))
      blocks.push({ kind: 'list', items: items(take((one) => /^(?:- | {2}>)/.test(one))) });
    else if (line.startsWith('>'))
      blocks.push({ kind: 'quote', lines: take((one) => one.startsWith('>')).map((one) => inlines(one.slice(2))) });
    else {
      at += 1;
      const more = keepLines ? take((one) => !STARTS_BLOCK.test(one)) : [];
      blocks.push({ kind: 'paragraph', content: inlines([line, ...more].join('\n')) });
    }
  }
  return blocks;
}

function items(lines: readonly string[]): ListItem[] {
  const all: { content: Inline[]; quote: Inline[][] }[] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) all.push({ content: inlines(boxed(line.slice(2))), quote: [] });
    else all.at(-1)?.quote.push(inlines(line.slice(4)));
  }
  return all;
}

/** Replaces the checkbox of a task. */
function boxed(text: string): string {
  return text.replace(/^\[x\] /, '☑ ').replace(/^\[ \] /, '☐ ');
}

/** Returns rows of cells, without the separator line below the header. */
function tableRows(lines: readonly string[]): Inline[][][] {
  return lines
    .filter((line) => !/^\|(?: --- \|)+$/.test(line))
    .map((line) => cellsOf(line).map((cell) => inlines(cell)));
}

/** Splits cells at `|`, unless it is escaped. Inside code, removes the backslash before `|`. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\| ?/, '')
    .replace(/ ?\|$/, '')
    .split(/(?<!\\) \| /);
}

/** Maximum length of a link's text. Those of reports are short. */
const MAX_LABEL = 300;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/**
 * Parses a line in a single pass, so that the time is proportional to its length. Names in reports come from attacked
 * hosts.
 */
function inlines(text: string): Inline[] {
  const parts: Inline[] = [];
  const unclosed = new Set<string>();
  let plain = '';
  let at = 0;
  const add = (part: Inline, next: number) => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
    parts.push(part);
    at = next;
  };
  while (at < text.length) {
    const mark = markAt(text, at);
    const found = mark === undefined || unclosed.has(mark) ? undefined : partAt(text, at, mark);
    if (found !== undefined) add(found.part, found.next);
    else {
      // A mark without an end after this position has none later either. A link is searched again, within its limit.
      if (mark !== undefined && mark !== '[') unclosed.add(mark);
      const escaped = isEscape(text, at);
      const length = mark?.length ?? 1;
      plain += escaped ? text[at + 1] : text.slice(at, at + length);
      at += escaped ? 2 : length;
    }
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain });
  return parts;
}

/** Returns the mark that starts at this position. */
function markAt(text: string, at: number): string | undefined {
  if (text[at] === '`') return runOf(text, at);
  if (text.startsWith('**', at)) return '**';
  return text[at] === '[' ? '[' : undefined;
}

function partAt(text: string, at: number, mark: string): { readonly part: Inline; readonly next: number } | undefined {
  const from = at + mark.length;
  if (mark === '[') return linkAt(text, from);
  const to = mark === '**' ? unescapedAt(text, from, '**', text.length) : closingRun(text, from, mark.length);
  if (to === -1) return undefined;
  const inner = text.slice(from, to);
  const part: Inline =
    mark === '**'
      ? { kind: 'strong', text: unescaped(inner) }
      : {
          kind: 'code',
          text: withoutPadding(inner).replaceAll('\\|', '|'),
        };
  return { part, next: to + mark.length };
}

function linkAt(text: string, from: number): { readonly part: Inline; readonly next: number } | undefined {
  const to = unescapedAt(text, from, ']', from + MAX_LABEL);
  if (to === -1 || text[to + 1] !== '(') return undefined;
  const end = text.indexOf(')', to);
  if (end === -1) return undefined;
  return { part: { kind: 'link', text: unescaped(text.slice(from, to)), to: text.slice(to + 2, end) }, next: end + 1 };
}

function runOf(text: string, from: number): string {
  let to = from;
  while (text[to] === '`') to += 1;
  return text.slice(from, to);
}

/** Removes one space on both sides, which separates backticks in the text from the enclosing ones. */
function withoutPadding(code: string): string {
  return code.length > 2 && code.startsWith(' ') && code.endsWith(' ') ? code.slice(1, -1) : code;
}

/** Returns the start of a run of exactly this many backticks, or -1. */
function closingRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at !== -1; ) {
    const run = runOf(text, at).length;
    if (run === length) return at;
    at = text.indexOf('`', at + run);
  }
  return -1;
}

function unescapedAt(text: string, from: number, mark: string, end: number): number {
  for (let at = from; at < Math.min(end, text.length); at += isEscape(text, at) ? 2 : 1)
    if (text.startsWith(mark, at)) return at;
  return -1;
}

function isEscape(text: string, at: number): boolean {
  return text[at] === '\\' && PUNCTUATION.test(text[at + 1] ?? '');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
