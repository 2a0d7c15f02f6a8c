import { type Document, isNode, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { measureJson, type SizeLimits } from '#api/executions/json-size.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { isStorable, NOT_STORABLE } from '#schemas/api/storable-text.ts';
import { type DefinitionIssue, problem } from './issue.ts';

/** In bytes of UTF-8. */
export const MAX_YAML_BYTES = 1024 * 1024;
/** Maximum JSON size after aliases are expanded. */
const MAX_JSON_BYTES = 2 * 1024 * 1024;
/** Maximum nesting of lists and objects. */
const MAX_DEPTH = 100;
const JSON_LIMITS: SizeLimits = { maxBytes: MAX_JSON_BYTES, maxNodes: MAX_JSON_BYTES, maxDepth: 2 * MAX_DEPTH };
/** Maximum number of alias expansions, including nested ones. */
const MAX_ALIASES = 100;
/** Far above real definitions. The parser would take seconds to report a larger number. */
const MAX_OPEN_BRACKETS = 1_000;
/** Error of the recursive parser when nesting overflows its stack. */
const STACK_EXCEEDED = 'Maximum call stack size exceeded';

/** A YAML document as JSON values, with their positions in the text. */
export interface ReadYaml {
  readonly value: JsonValue;
  /** Returns the position of a value, or of the closest value that contains it. */
  locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number } | undefined;
}

/**
 * Parses YAML 1.2 into JSON values within limits. Rejects excessive aliases, depth and size, and values that JSON does
 * not have.
 */
export function readYaml(text: string): ReadYaml | { readonly issues: readonly DefinitionIssue[] } {
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) return refused(`more than ${MAX_YAML_BYTES} bytes`);
  if (maxOpenBrackets(text) > MAX_OPEN_BRACKETS) return refused('lists and objects are nested too deep');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: true, stringKeys: true, prettyErrors: false });
  if (document.errors.length > 0) return { issues: document.errors.map((error) => issueOf(error, lineCounter)) };
  const value = jsonOf(document);
  if ('message' in value) return refused(value.message);
  const found = withinJson(value.value, [], 0);
  if (found !== undefined) return { issues: [{ ...found, ...locate(document, lineCounter, found.path) }] };
  // Aliases share their values, so the size is measured instead of serialized.
  if ('exceeds' in measureJson(value.value as JsonValue, JSON_LIMITS))
    return refused(`aliases make it larger than ${MAX_JSON_BYTES} bytes`);
  return { value: value.value as JsonValue, locate: (path) => locate(document, lineCounter, path) };
}

function refused(message: string): { readonly issues: readonly DefinitionIssue[] } {
  return { issues: [problem([], message)] };
}

function issueOf({ message, pos }: YAMLError, lines: LineCounter): DefinitionIssue {
  const { line, col } = lines.linePos(pos[0]);
  return {
    ...problem([], message === STACK_EXCEEDED ? 'lists and objects are nested too deep' : message),
    line,
    column: col,
  };
}

function jsonOf(document: Document): { readonly value: unknown } | { readonly message: string } {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    // Too many aliases, or an unknown alias.
    return { message: error instanceof Error ? error.message : 'the YAML cannot be read' };
  }
}

/** Also counts brackets in strings, which keeps real definitions far below the limit. */
function maxOpenBrackets(text: string): number {
  let most = 0;
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) most = Math.max(most, ++open);
    else if ((code === 0x5d || code === 0x7d) && open > 0) open -= 1;
  }
  return most;
}

/** Returns a problem for the first value that JSON cannot store, or that would be dangerous for readers. */
function withinJson(value: unknown, path: readonly (string | number)[], depth: number): DefinitionIssue | undefined {
  if (depth > MAX_DEPTH) return problem(path.slice(0, 5), `more than ${MAX_DEPTH} levels are nested`);
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') return textIssue(value, path);
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : problem(path, 'must be a number that JSON can represent');
  if (Array.isArray(value)) return firstOf(value.entries(), path, depth);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return problem(path, 'this is nothing that JSON can say');
  return firstOf(Object.entries(value), path, depth);
}

function firstOf(
  entries: Iterable<readonly [string | number, unknown]>,
  path: readonly (string | number)[],
  depth: number,
): DefinitionIssue | undefined {
  for (const [key, value] of entries) {
    if (key === '__proto__') return problem(path, 'the key __proto__ is not allowed');
    const inner = [...path, key];
    const found = textIssue(String(key), path) ?? withinJson(value, inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textIssue(text: string, path: readonly (string | number)[]): DefinitionIssue | undefined {
  return isStorable(text) ? undefined : problem(path, NOT_STORABLE);
}

function locate(
  document: Document,
  lines: LineCounter,
  path: readonly (string | number)[],
): { readonly line: number; readonly column: number } | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : nodeAt(document, path.slice(0, length));
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0]);
      return { line, column: col };
    }
  }
  return undefined;
}

function nodeAt(document: Document, path: readonly (string | number)[]): unknown {
  try {
    return document.getIn(path, true);
  } catch {
    return undefined; // the path leads through a scalar or an alias
  }
}
