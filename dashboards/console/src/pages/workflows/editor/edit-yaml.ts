import { type Document, isMap, isScalar, isSeq, type Node, parse, parseDocument, stringify, type YAMLSeq } from 'yaml';
import type { TaskTemplate } from './task-templates.ts';

/** Path of a task: keys and indexes to its list, its index, its name. */
export type Place = readonly (string | number)[];

/** The lines of one list item, with the comments above it. */
interface Block {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text with a task moved to another index of its list. Moves the task's lines unchanged, so that comments
 * and layout are preserved. If that is not possible (flow style), formats the document again and keeps its comments.
 * Undefined if the task or index does not exist.
 */
export function moveTask(text: string, place: Place, to: number): string | undefined {
  const { list, index } = split(place);
  const document = parseDocument(text);
  const seq = document.getIn(list);
  if (!isSeq(seq) || index >= seq.items.length || to < 0 || to >= seq.items.length || to === index) return undefined;
  const blocks = blocksOf(text, document, list, seq);
  const expected = moved(seq.toJS(document) as unknown[], index, to);
  if (blocks !== undefined) {
    const parts = blocks.map(({ start, end }) => closed(text.slice(start, end)));
    const before = text.slice(0, blocks[0]?.start);
    const result = before + moved(parts, index, to).join('') + text.slice(blocks.at(-1)?.end);
    if (hasList(result, list, expected)) return result;
  }
  seq.items = moved(seq.items, index, to);
  return document.toString({ lineWidth: 0 });
}

/** Returns the text with a new task in a list, at this index. Undefined if the list does not exist. */
export function addTask(text: string, list: Place, index: number, { kind, task }: TaskTemplate): string | undefined {
  const document = parseDocument(text);
  const seq = document.getIn(list);
  if (!isSeq(seq)) return undefined;
  const values = seq.toJS(document) as unknown[];
  const item = { [freeName(kind, values)]: task };
  const expected = values.toSpliced(index, 0, item);
  const blocks = blocksOf(text, document, list, seq);
  const [first] = blocks ?? [];
  if (blocks !== undefined && first !== undefined) {
    const at = index < blocks.length ? (blocks[index]?.start ?? 0) : (blocks.at(-1)?.end ?? 0);
    const dash = /^ *(?=-)/m.exec(text.slice(first.start))?.[0] ?? '';
    const lines = stringify([item], { lineWidth: 0 }).replaceAll(/^(?=.)/gm, dash);
    const result = closed(text.slice(0, at)) + lines + text.slice(at);
    if (hasList(result, list, expected)) return result;
  }
  seq.items.splice(index, 0, document.createNode(item));
  return document.toString({ lineWidth: 0 });
}

/** Returns the line (from 1) of a task. Undefined if it does not exist. */
export function lineOf(text: string, place: Place): number | undefined {
  const { list, index } = split(place);
  const seq = parseDocument(text).getIn(list);
  const start = isSeq(seq) ? startOf(seq.items[index] as Node | undefined) : undefined;
  return start === undefined ? undefined : text.slice(0, start).split('\n').length;
}

/** Returns title and summary of a definition. */
export function describe(text: string): { readonly title?: string; readonly summary?: string } {
  const { document } = (parse(text) ?? {}) as { document?: { title?: string; summary?: string } };
  return {
    ...(document?.title === undefined ? {} : { title: document.title }),
    ...(document?.summary === undefined ? {} : { summary: document.summary }),
  };
}

function split(place: Place): { readonly list: Place; readonly index: number } {
  return { list: place.slice(0, -2), index: Number(place.at(-2)) };
}

function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from] as T);
}

/** Returns the text with a line break at the end. */
function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Returns true if the list has exactly the expected content. Other results of an edit are discarded. */
function hasList(text: string, list: Place, expected: unknown): boolean {
  const document = parseDocument(text);
  const seq = document.getIn(list);
  return document.errors.length === 0 && isSeq(seq) && JSON.stringify(seq.toJS(document)) === JSON.stringify(expected);
}

/** Returns the consecutive blocks of a list in block style. Undefined for any other list. */
function blocksOf(text: string, document: Document, list: Place, seq: YAMLSeq): Block[] | undefined {
  if (seq.flow === true || seq.items.length === 0) return undefined;
  const starts: number[] = [];
  for (const item of seq.items) {
    const at = startOf(item as Node);
    if (at === undefined) return undefined;
    const line = text.lastIndexOf('\n', at - 1) + 1;
    if (!/^ *- +$/.test(text.slice(line, at))) return undefined;
    starts.push(withComments(text, line));
  }
  const key = document.getIn(list, true);
  const end = endOf(text, (key as Node | undefined)?.range?.[1] ?? text.length);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? end }));
}

/** Returns the start of an item's key. */
function startOf(item: Node | undefined): number | undefined {
  if (!isMap(item)) return undefined;
  const key = item.items[0]?.key;
  return isScalar(key) ? key.range?.[0] : undefined;
}

/** Returns the start of the comments directly above a line with the same indentation. */
function withComments(text: string, line: number): number {
  let start = line;
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    if (!/^ +#/.test(text.slice(previous, start))) return start;
    start = previous;
  }
  return start;
}

/** Returns the end of the line that contains the position. */
function endOf(text: string, at: number): number {
  if (at === 0 || text[at - 1] === '\n') return at;
  const next = text.indexOf('\n', at);
  return next < 0 ? text.length : next + 1;
}

function freeName(kind: string, values: readonly unknown[]): string {
  const names = new Set(values.flatMap((value) => Object.keys((value ?? {}) as object)));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? kind : `${kind}${number}`;
    if (!names.has(name)) return name;
  }
}
