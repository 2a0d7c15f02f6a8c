/** A part of a line of a report. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

/** A block of a report. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'quote'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'list'; readonly items: readonly ReportItem[] };

export interface ReportItem {
  readonly content: readonly Inline[];
  /** A quotation below the item. */
  readonly quote: readonly (readonly Inline[])[];
}

/** The blocks of a report of the API. It knows the Markdown that reports use, and no more: everything else is text. */
export function reportBlocks(markdown: string): Block[] {
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
    else if (heading !== null) {
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
      blocks.push({ kind: 'paragraph', content: inlines(line) });
    }
  }
  return blocks;
}

function items(lines: readonly string[]): ReportItem[] {
  const all: { content: Inline[]; quote: Inline[][] }[] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) all.push({ content: inlines(boxed(line.slice(2))), quote: [] });
    else all.at(-1)?.quote.push(inlines(line.slice(4)));
  }
  return all;
}

/** The box of a task. */
function boxed(text: string): string {
  return text.replace(/^\[x\] /, '☑ ').replace(/^\[ \] /, '☐ ');
}

/** Rows of cells without the line below the header. */
function tableRows(lines: readonly string[]): Inline[][][] {
  return lines
    .filter((line) => !/^\|(?: --- \|)+$/.test(line))
    .map((line) => cellsOf(line).map((cell) => inlines(cell)));
}

/** Cells end at `|`, unless it is escaped; within code a backslash before it goes. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\| ?/, '')
    .replace(/ ?\|$/, '')
    .split(/(?<!\\) \| /);
}

const TOKEN =
  /\\([!-/:-@[-`{-~])|(`+) ?(.+?) ?\2(?!`)|\*\*((?:\\.|[^*\\])+)\*\*|\[((?:\\.|[^\]\\])+)\]\(([^()\s]+)\)|[^\\`*[]+|./g;

function inlines(text: string): Inline[] {
  const parts: Inline[] = [];
  for (const [whole, escaped, fence, code, strong, label, to] of text.matchAll(TOKEN)) {
    if (fence !== undefined) parts.push({ kind: 'code', text: (code ?? '').replaceAll('\\|', '|') });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: plain(strong) });
    else if (label !== undefined && to !== undefined) parts.push({ kind: 'link', text: plain(label), to });
    else {
      const last = parts.at(-1);
      const added = escaped ?? whole;
      if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + added };
      else parts.push({ kind: 'text', text: added });
    }
  }
  return parts;
}

function plain(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
