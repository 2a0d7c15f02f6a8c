import { parseSync } from 'oxc-parser';

/** A function longer than `MAX_LINES` lines, including nested functions. */
export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  /** True if the comment above it states a reason: `Long: <reason>`. */
  readonly hasReason: boolean;
}

/** Longer functions need a reason. */
export const MAX_LINES = 100;
/** Longer functions are rejected. */
export const LIMIT = 150;

const REASON = /\bLong: \S/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string };
  readonly body?: unknown;
}

/** Returns the long functions of a source file. Throws if the source cannot be parsed. */
export function longFunctions(file: string, source: string): LongFunction[] {
  const { program, comments, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const found: LongFunction[] = [];

  /** `place`: start of the statement or member that contains the function. `name`: name of the function. */
  function visit(value: unknown, place: number, name: string): void {
    if (Array.isArray(value)) for (const item of value) visit(item, place, name);
    if (!isNode(value)) return;
    const start = isPlace(value) ? value.start : place;
    const named = value.id?.name ?? (value.type === 'Property' ? value.key?.name : undefined) ?? name;
    if (value.type.includes('Function') && isNode(value.body)) {
      const lines = lineAt(value.end) - lineAt(value.start) + 1;
      if (lines > MAX_LINES) found.push({ name: named, line: lineAt(value.start), lines, hasReason: hasReason(start) });
    }
    for (const child of Object.values(value)) visit(child, start, named);
  }

  function hasReason(start: number): boolean {
    const above = comments.filter(({ end }) => end <= start && /^\s*(?:export\s+)?$/.test(source.slice(end, start)));
    return above.some(({ value }) => REASON.test(value));
  }

  visit(program, 0, 'anonymous');
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isPlace({ type }: Node): boolean {
  return /(?:Declaration|Statement|Property)$/.test(type);
}
