import type { JsonValue } from '#api/executions/json-value.ts';

/**
 * Definitions that each refer to the next one twice: a validator that follows references takes 2^count steps for any
 * value.
 */
export function doubledReferences(
  count: number,
  by: 'pointer' | 'anchor' | 'id' = 'pointer',
): { [name: string]: JsonValue } {
  const refer = (at: number): JsonValue => {
    const name = `d${at}`;
    return { $ref: { pointer: `#/$defs/${name}`, anchor: `#${name}`, id: `https://example.com/${name}` }[by] };
  };
  const names = {
    pointer: () => ({}),
    anchor: (at: number) => ({ $anchor: `d${at}` }),
    id: (at: number) => ({ $id: `https://example.com/d${at}` }),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `d${at}`,
        { ...names[by](at), ...(at === count - 1 ? { type: 'object' } : { allOf: [refer(at + 1), refer(at + 1)] }) },
      ]),
    ),
    allOf: [refer(0)],
  };
}
