import { percentDecoded } from '#schemas/percent-decoded.ts';
import type { JsonValue } from '../json-value.ts';
import { isSchema, type Schema, subschemasOf } from './subschemas.ts';

export const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** Resolves the references of one schema document. */
export interface References {
  /** Returns the schemas that a schema refers to. Omits booleans, meta-schemas and missing targets. */
  targetsOf(schema: Schema): readonly Schema[];
  /** True if a reference of this schema resolves within the document or to a meta-schema. */
  isKnown(schema: Schema, reference: string): boolean;
}

/** Meta-schemas, which every validator knows. */
const DRAFTS = /^https?:\/\/json-schema\.org\/(?:draft-07|draft\/2020-12|draft\/2019-09)\//;
const ROOT = 'json-schema://document/';

/**
 * Resolves references by the rules of JSON Schema: by JSON pointer, anchor and id, relative to the enclosing ids. Reads
 * the document once.
 */
export function createReferences(document: JsonValue): References {
  const targets = new Map<string, JsonValue>();
  const bases = new Map<Schema, string>();

  function index(value: JsonValue, around: string): void {
    if (!isSchema(value)) return;
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = value;
    const own = typeof id === 'string' ? resolve(id, around) : undefined;
    if (own !== undefined && !targets.has(own)) targets.set(own, value);
    const base = own === undefined || typeof id !== 'string' || id.startsWith('#') ? around : withoutFragment(own);
    for (const name of [anchor, dynamic])
      if (typeof name === 'string' && !targets.has(`${base}#${name}`)) targets.set(`${base}#${name}`, value);
    bases.set(value, base);
    for (const { value: inner } of subschemasOf(value)) index(inner, base);
  }
  targets.set(ROOT, document);
  index(document, ROOT);

  function targetOf(schema: Schema, reference: string): JsonValue | undefined {
    const whole = resolve(reference, bases.get(schema) ?? ROOT);
    if (whole === undefined) return undefined;
    const direct = targets.get(whole);
    if (direct !== undefined) return direct;
    const hash = whole.indexOf('#');
    const fragment = hash < 0 ? '' : whole.slice(hash + 1);
    if (fragment !== '' && !fragment.startsWith('/')) return undefined;
    return follow(targets.get(withoutFragment(whole)), fragment);
  }

  return {
    targetsOf: (schema) =>
      REFERENCES.flatMap((keyword) => {
        const reference = schema[keyword];
        const target = typeof reference === 'string' ? targetOf(schema, reference) : undefined;
        return isSchema(target) ? [target] : [];
      }),
    isKnown(schema, reference) {
      const whole = resolve(reference, bases.get(schema) ?? ROOT);
      return targetOf(schema, reference) !== undefined || (whole !== undefined && DRAFTS.test(whole));
    },
  };
}

function resolve(reference: string, base: string): string | undefined {
  const found = URL.parse(reference, base)?.href;
  // `#` alone refers to the document, like no fragment.
  return found?.endsWith('#') ? found.slice(0, -1) : found;
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#');
  return hash < 0 ? uri : uri.slice(0, hash);
}

/** Returns the value at a JSON pointer. */
function follow(document: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let at = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as { readonly [name: string]: JsonValue })[key];
  }
  return at;
}
