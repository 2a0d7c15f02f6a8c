import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import { MAX_DOCUMENTS, MAX_SOURCE, MAX_YAML_DEPTH, MAX_YAML_NODES } from './limits.ts';
import { RefusedRule } from './refusal.ts';

/** A part of a YAML file with its position. */
export interface Located {
  /** From 1. */
  readonly line: number;
  readonly path: string;
  /** A list, a mapping, or a scalar. Integers beyond 2^53 are exact. */
  readonly value: readonly Located[] | ReadonlyMap<string, Entry> | string | number | bigint | boolean | null;
}

/** One entry of a mapping: the position of its key, and its value. */
export interface Entry {
  readonly line: number;
  readonly path: string;
  readonly value: Located;
}

/** Throws a refusal with this position in the file. */
export function refuse({ line, path }: Pick<Located, 'line' | 'path'>, message: string): never {
  throw new RefusedRule({ line, path, message });
}

/** Parses the documents of a YAML file, with limits on size and depth. Throws `RefusedRule`. */
export function readLocated(source: string): Located[] {
  const whole = { line: 1, path: '$' };
  if (source.length > MAX_SOURCE) refuse(whole, `${source.length} characters, at most ${MAX_SOURCE}`);
  const lines = new LineCounter();
  const documents = parse(source, lines);
  if (documents.length === 0) refuse(whole, 'the file is empty');
  if (documents.length > MAX_DOCUMENTS) refuse(whole, `${documents.length} documents, at most ${MAX_DOCUMENTS}`);
  let nodes = 0;
  const lineOf = (node: Node | null): number => (node?.range ? lines.linePos(node.range[0]).line : 1);

  function locate(node: Node | null, path: string, depth: number, line: number): Located {
    nodes += 1;
    if (nodes > MAX_YAML_NODES) refuse({ line, path }, `more than ${MAX_YAML_NODES} values in one file`);
    if (depth > MAX_YAML_DEPTH) refuse({ line, path }, `nested deeper than ${MAX_YAML_DEPTH} levels`);
    if (node === null) return { line, path, value: null };
    const here = lineOf(node);
    const place = { line: here, path };
    if (isAlias(node) || node.anchor !== undefined)
      refuse(place, 'anchors and aliases are not supported: write the value out');
    if (isSeq(node)) {
      const value = node.items.map((item, i) => locate(item as Node | null, `${path}[${i}]`, depth + 1, here));
      return { ...place, value };
    }
    if (isMap(node)) {
      const value = new Map<string, Entry>();
      for (const { key, value: item } of node.items) {
        if (!isScalar(key)) refuse(place, 'keys must be plain text');
        const name = String(key.value);
        const inner = path === '$' ? name : `${path}.${name}`;
        const keyLine = lineOf(key);
        value.set(name, { line: keyLine, path: inner, value: locate(item as Node | null, inner, depth + 1, keyLine) });
      }
      return { ...place, value };
    }
    const scalar = isScalar(node) ? node.value : null;
    return { ...place, value: exactScalar(scalar) };
  }

  return documents.map((contents, i) => locate(contents, documents.length === 1 ? '$' : `[${i + 1}]`, 0, 1));
}

function parse(source: string, lineCounter: LineCounter): (Node | null)[] {
  const whole = { line: 1, path: '$' };
  try {
    const documents = parseAllDocuments(source, {
      lineCounter,
      uniqueKeys: true,
      prettyErrors: false,
      intAsBigInt: true,
    });
    if ('empty' in documents) return [];
    for (const { errors, warnings } of documents) {
      const [problem] = [...errors, ...warnings];
      if (problem === undefined) continue;
      refuse({ line: lineCounter.linePos(problem.pos[0]).line, path: '$' }, `not valid YAML: ${problem.message}`);
    }
    return documents.map(({ contents }) => contents as Node | null).filter((contents) => contents !== null);
  } catch (error) {
    if (error instanceof RangeError) refuse(whole, 'nested too deeply to be read');
    throw error;
  }
}

function exactScalar(value: unknown): string | number | bigint | boolean | null {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
