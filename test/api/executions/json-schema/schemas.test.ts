import { describe, expect, it } from 'vitest';
import { compileSchema } from '#api/executions/json-schema/compile-schema.ts';
import { schemaProblem } from '#api/executions/json-schema/schema-limits.ts';
import { createSchemas } from '#api/executions/json-schema/schemas.ts';
import { stepsOfSimple } from '#api/executions/json-schema/simple-schema.ts';
import { verdictOf } from '#api/executions/json-schema/verdict.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { atEnd } from '#test/support/at-end.ts';
import { doubledReferences } from './doubled-references.ts';

const schemas = createSchemas({ timeLimitMs: 500 });
atEnd(() => schemas.close());

/** Nested objects with a string at the innermost level. */
function nested(depth: number, end: JsonValue = 'end'): JsonValue {
  let value = end;
  for (let at = 0; at < depth; at++) value = { next: value };
  return value;
}

describe('limits of schemas', () => {
  const many = (count: number, one: JsonValue) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, one]));

  it.each<[string, JsonValue, string]>([
    ['60 definitions that each refer to the next one twice', doubledReferences(60), 'more than 10000 subschemas'],
    ['the same by anchors', doubledReferences(60, 'anchor'), 'more than 10000 subschemas'],
    ['the same by ids', doubledReferences(60, 'id'), 'more than 10000 subschemas'],
    [
      'a circle that does not go into the value',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, allOf: [{ $ref: '#/$defs/a' }] },
      'form a cycle',
    ],
    ['a schema that is itself', { $ref: '#' }, 'form a cycle'],
    ['a reference to another host', { $ref: 'https://example.com/schema.json' }, 'other documents are not fetched'],
    ['a reference that leads nowhere', { $ref: '#/definitions/missing' }, 'does not resolve in this schema'],
    ['more subschemas than are read', { properties: many(5_001, {}) }, 'at most 5000 subschemas'],
    ['more definitions than are read', { $defs: many(1_001, {}) }, 'at most 1000 definitions'],
    [
      'more references than are read',
      { $defs: { a: {} }, properties: many(2_001, { $ref: '#/$defs/a' }) },
      'at most 2000 references',
    ],
    ['more characters than are read', { description: 'x'.repeat(200_000) }, 'at most 200000 characters'],
    ['a huge enum', { enum: Array.from({ length: 10_001 }, (_, at) => at) }, 'at most 10000 values'],
    [
      'deep nesting',
      Array.from({ length: 70 }).reduce<JsonValue>((inner) => ({ allOf: [inner] }), {}),
      'at most 64 levels',
    ],
    ['an exponential pattern', { properties: { a: { pattern: '^(a+)+$' } } }, 'could grow exponentially'],
    ['an exponential pattern of names', { patternProperties: { '^(a+)+$': {} } }, 'could grow exponentially'],
    ['too many patterns', { properties: many(201, { pattern: 'a' }) }, 'at most 200 regular expressions'],
  ])('rejects %s', (_what, schema, reason) => {
    expect(schemaProblem(schema)?.message).toContain(reason);
  });

  it('reports the position of a problem', () => {
    expect(schemaProblem({ properties: { a: { items: { pattern: '(a+)+' } } } })?.path).toEqual([
      'properties',
      'a',
      'items',
      'pattern',
    ]);
  });
});

describe('validation', () => {
  it.each<[string, JsonValue]>([
    ['to the root', { type: ['object', 'string'], properties: { next: { $ref: '#' } }, additionalProperties: false }],
    [
      'by two definitions',
      {
        $defs: {
          a: { type: ['object', 'string'], properties: { next: { $ref: '#/$defs/b' } }, additionalProperties: false },
          b: { type: ['object', 'string'], properties: { next: { $ref: '#/$defs/a' } }, additionalProperties: false },
        },
        $ref: '#/$defs/a',
      },
    ],
    [
      'by an id',
      {
        $id: 'https://example.com/tree',
        type: ['object', 'string'],
        properties: { next: { $ref: 'https://example.com/tree' } },
        additionalProperties: false,
      },
    ],
    [
      'by a dynamic anchor',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $dynamicAnchor: 'node',
        type: ['object', 'string'],
        properties: { next: { $dynamicRef: '#node' } },
        additionalProperties: false,
      },
    ],
  ])('a recursive schema %s works for any depth of values', async (_how, schema) => {
    expect(await schemas.check(schema, nested(200))).toEqual({ valid: true });
    expect(await schemas.check(schema, nested(100, { other: 1 }))).toMatchObject({ valid: false });
    await expect(schemas.check(schema, nested(300))).rejects.toThrow('nested more than 256 levels deep');
  });

  it('reports a schema stored before the limits as invalid, immediately', async () => {
    await expect(schemas.check(doubledReferences(60), {})).rejects.toMatchObject({
      name: 'SchemaBroken',
      message: expect.stringContaining('more than 10000 subschemas'),
    });
  });

  it.each<[string, JsonValue, JsonValue]>([
    [
      'a recursion that doubles with each level',
      { properties: { next: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      nested(60),
    ],
    ['a polynomial pattern', { pattern: '^a*a*a*a*a*a*b$' }, 'a'.repeat(5_000)],
  ])('%s is stopped, and the next validation works', async (_what, schema, value) => {
    await expect(schemas.check(schema, value)).rejects.toThrow('it takes too long to check');
    expect(await schemas.check({ pattern: '^a+$' }, 'aaa')).toEqual({ valid: true });
  });

  it('a simple schema reports the same errors as the thread', async () => {
    const simple = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, tags: { items: { enum: ['a', 'b'] } } },
      additionalProperties: false,
    };
    const same = { ...simple, patternProperties: { '^never$': {} } };
    expect(stepsOfSimple(simple)).toBeGreaterThan(0);
    expect(stepsOfSimple(same)).toBeUndefined();
    for (const value of [{ id: 1 }, {}, { id: 'x' }, { id: 1, tags: ['a', 'c'] }, { id: 1, more: 1 }, [], null])
      expect(await schemas.check(simple, value)).toEqual(await schemas.check(same, value));
  });

  it.each<[string, JsonValue]>([
    ['a pattern', { pattern: 'a' }],
    ['unique items', { uniqueItems: true }],
    ['recursion', { properties: { a: { $ref: '#/properties/a' } } }],
    ['a keyword of the wrong form', { required: 'id' }],
    ['an unknown type', { type: 'nonsense' }],
    ['an id', { $id: 'x' }],
    ['an unknown keyword', { unevaluatedProperties: false }],
    ['more than is checked in a moment', { enum: Array.from({ length: 600 }, (_, at) => at) }],
  ])('%s is not simple', (_what, schema) => {
    expect(stepsOfSimple(schema)).toBeUndefined();
  });

  it('reports a schema that does not compile', async () => {
    await expect(schemas.compile({ type: 'nonsense' })).rejects.toThrow('schema is invalid');
    await expect(schemas.compile({ $schema: 'https://example.com/other' })).rejects.toThrow(
      'no schema with key or ref',
    );
  });
});

describe('invalid schemas', () => {
  // Regression: `String(null)` is the name of a type, so the schema counted as simple, and its compiler threw an
  // internal error into the engine.
  it.each<[string, JsonValue]>([
    ['a type that is null', { type: null }],
    ['a list of types that holds null', { type: [null] }],
    ['a `$schema` that is a list', { $schema: ['http://json-schema.org/draft-07/schema#'], type: 'object' }],
  ])('%s', async (_, schema) => {
    expect(stepsOfSimple(schema)).toBeUndefined();
    await expect(schemas.check(schema, {})).rejects.toMatchObject({ name: 'SchemaBroken' });
  });
});

describe('validation beyond the schema compiler', () => {
  const objects = (count: number) => Array.from({ length: count }, (_, at) => ({ a: [at, { b: at }] }));

  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['a member toString, the same', { enum: [{ toString: 1 }] }, { toString: 1 }, true],
    ['a member toString, another', { enum: [{ toString: 1 }] }, { toString: 2 }, false],
    ['a member valueOf', { const: { valueOf: { a: 1 } } }, { valueOf: { a: 1 } }, true],
    ['a member constructor', { const: { constructor: 1, a: 2 } }, { a: 2, constructor: 1 }, true],
    ['a member that is inherited', { const: { a: 1 } }, { toString: 1 }, false],
    ['a list and an object', { enum: [[]] }, {}, false],
    ['lists', { enum: [1, '1', [1, { a: null }]] }, [1, { a: null }], true],
    ['a text and a number', { enum: [1, 2] }, '1', false],
    ['5,000 objects', { enum: objects(5_000) }, { a: [4_999, { b: 4_999 }] }, true],
    ['items with a member toString', { uniqueItems: true }, [{ toString: 1 }, { toString: 1 }], false],
    [
      'items in another order',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    ['items of several types', { uniqueItems: true }, [1, '1', [1], { a: 1 }, '[1]', 'c[1]', null, 'null', true], true],
    ['9,000 items', { uniqueItems: true }, objects(9_000), true],
    ['items that may be the same', { uniqueItems: false }, [1, 1], true],
  ])('compares %s', async (_what, schema, value, valid) => {
    expect(await schemas.check(schema, value)).toMatchObject({ valid });
    // The same in a thread.
    expect(await schemas.check({ allOf: [schema], dependentSchemas: {} }, value)).toMatchObject({ valid });
  });

  it('reports duplicate items', async () => {
    expect(await schemas.check({ uniqueItems: true }, [{ a: 1 }, 2, { a: 1 }])).toEqual({
      valid: false,
      problems: [{ path: '/', message: 'must NOT have duplicate items (items ## 0 and 2 are identical)' }],
    });
  });

  it('rejects an invalid schema with the reason of the draft', async () => {
    for (const $schema of ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'])
      await expect(schemas.compile({ $schema, enum: 5 })).rejects.toThrow('schema is invalid: data/enum must be array');
    await expect(schemas.compile({ enum: [] })).rejects.toThrow('enum');
    await expect(schemas.compile({ $schema: 'https://example.org/other' })).rejects.toThrow(
      'no schema with key or ref',
    );
  });

  it('explains a validation that needs more stack than available', () => {
    const validate = compileSchema({ properties: { next: { $ref: '#' } } });
    expect(() => verdictOf(validate, nested(200_000))).toThrow(
      'the value cannot be checked: the schema nests too deep',
    );
    const circle = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect(() => compileSchema(circle)).toThrow('too many nested or alternative subschemas');
  });

  it('validates with a schema of 4,000 properties within its time limit', async () => {
    const properties = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const patient = createSchemas({ timeLimitMs: 10_000, threads: 1 });
    try {
      expect(await patient.check({ properties }, { p3999: 1 })).toMatchObject({ valid: false });
    } finally {
      await patient.close();
    }
  });
});
