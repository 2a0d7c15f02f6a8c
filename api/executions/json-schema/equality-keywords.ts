import type { Ajv, FuncKeywordDefinition } from 'ajv';
import type { JsonValue } from '../json-value.ts';

/**
 * Replaces `const`, `enum` and `uniqueItems` with comparisons by value. The originals call methods of the compared
 * values, such as a member named `toString`, and compare all pairs of items.
 */
export function useEqualityKeywords(ajv: Pick<Ajv, 'removeKeyword' | 'addKeyword'>): void {
  for (const keyword of KEYWORDS) ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
}

const CONST: FuncKeywordDefinition = {
  keyword: 'const',
  errors: false,
  error: { message: 'must be equal to constant' },
  compile: (wanted: JsonValue) => (value: JsonValue) => areEqual(wanted, value),
};

const ENUM: FuncKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  errors: false,
  error: { message: 'must be equal to one of the allowed values' },
  compile(allowed: readonly JsonValue[]) {
    if (allowed.length === 0) throw new Error('enum must have non-empty array');
    const scalars = new Set(allowed.filter((one) => !isComposite(one)));
    const composites = allowed.filter(isComposite);
    return (value: JsonValue) =>
      isComposite(value) ? composites.some((one) => areEqual(one, value)) : scalars.has(value);
  },
};

interface Validation {
  (unique: boolean, items: readonly JsonValue[]): boolean;
  errors?: { readonly keyword: string; readonly message: string; readonly params: object }[];
}

const isUnique: Validation = (unique, items) => {
  if (!unique) return true;
  const places = new Map<JsonValue, number>();
  for (const [at, item] of items.entries()) {
    // The prefix distinguishes a string item from the text of an object or array.
    const key = isComposite(item) ? `c${canonicalText(item)}` : typeof item === 'string' ? `s${item}` : item;
    const earlier = places.get(key);
    if (earlier === undefined) places.set(key, at);
    else {
      const message = `must NOT have duplicate items (items ## ${earlier} and ${at} are identical)`;
      isUnique.errors = [{ keyword: 'uniqueItems', message, params: { i: at, j: earlier } }];
      return false;
    }
  }
  return true;
};

const KEYWORDS: readonly FuncKeywordDefinition[] = [
  CONST,
  ENUM,
  { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: isUnique },
];

type Composite = readonly JsonValue[] | { readonly [name: string]: JsonValue };

function isComposite(value: JsonValue): value is Composite {
  return typeof value === 'object' && value !== null;
}

function areEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (!isComposite(a) || !isComposite(b)) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => areEqual(item, b[at] as JsonValue))
    );
  const members = Object.entries(a);
  return (
    members.length === Object.keys(b).length &&
    members.every(
      ([name, value]) => Object.hasOwn(b, name) && areEqual(value, (b as Record<string, JsonValue>)[name] as JsonValue),
    )
  );
}

/** Returns the same JSON text for equal values. */
function canonicalText(value: JsonValue): string {
  if (!isComposite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join()}}`;
}
