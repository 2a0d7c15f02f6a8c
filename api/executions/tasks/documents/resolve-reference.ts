import { get, getText } from '../../engine/interpreter/json.ts';
import type { JsonValue } from '../../json-value.ts';

/** Maximum length of a chain of references. */
const MAX_REFERENCES = 20;

/**
 * Resolves a local reference (`$ref`) of an API description. Returns the value itself if it is not a reference. Throws
 * the error that `problem` creates for a reference to another document and for a circular one.
 */
export function resolveReference(
  document: JsonValue,
  value: JsonValue | undefined,
  problem: (message: string) => Error,
): JsonValue | undefined {
  let found = value;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    const reference = getText(found, '$ref');
    if (reference === undefined) return found;
    if (!reference.startsWith('#/')) throw problem('references to other documents are not followed');
    found = reference
      .slice(2)
      .split('/')
      .reduce<JsonValue | undefined>(
        (at, part) => get(at, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')),
        document,
      );
  }
  throw problem('the document has a circular reference');
}
