import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Template } from './case.ts';
import { DEEP_SCHEMAS, REFERENCES } from './schema-references.ts';
import { DRAFT_07, DRAFT_2020, template, wrapped } from './schema-text.ts';
import { NAMES, randomJson } from './values.ts';

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

export const SCHEMAS: readonly Template[] = [
  template('valid', (random) => ({
    schema: { $schema: random.pick([DRAFT_07, DRAFT_2020]), ...valid(random, 3) },
    input: randomJson(random),
  })),
  template('mutated', (random) => ({ schema: mutated(valid(random, 3), random), input: randomJson(random) })),
  ...REFERENCES,
  ...DEEP_SCHEMAS,
  template(
    'backtracking-pattern',
    (random) => ({
      schema: {
        type: 'string',
        pattern: random.pick([
          '^(a+)+$',
          '^(a|a)*$',
          '^(.*a){20}$',
          '(x+x+)+y',
          '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*$',
          '^(?:a?){30}a{30}$',
        ]),
      },
      input: `${'a'.repeat(random.between(25, 90))}!`,
    }),
    true,
  ),
  template(
    'polynomial-pattern',
    (random) => ({
      schema: { pattern: '^\\s*(.*?)\\s*,\\s*(.*?)\\s*$' },
      input: ' '.repeat(random.between(100, 30_000)),
    }),
    true,
  ),
  template('pattern-properties', (random) => ({
    schema: {
      patternProperties: Object.fromEntries(
        Array.from({ length: random.between(1, 300) }, (_, at) => [`^a{${at}}.*b`, { type: 'number' }]),
      ),
    },
    input: { [`${'a'.repeat(300)}c`]: 1, a: 1 },
  })),
  template('pattern-bad', (random) => ({
    schema: { pattern: random.pick(['(', '[', '\\', '(?<=a)b', '\\p{L}', '\\u{', '(?i)a', 'a{2,1}', '']) },
    input: 'a',
  })),
  template('pattern-long', (random) => ({
    schema: { pattern: 'a?'.repeat(random.between(10, 20_000)) },
    input: 'a'.repeat(30),
  })),
  template('unique-items', (random) => ({
    schema: { uniqueItems: true },
    input: Array.from({ length: random.between(10, 900) }, (_, at) => ({ a: [at, { b: at }] })),
  })),
  template('unique-items-large', () => ({
    schema: { uniqueItems: true },
    input: Array.from({ length: 9_000 }, (_, at) => ({ a: [at, { b: at }] })),
  })),
  template('contains', (random) => ({
    schema: { contains: { contains: { type: 'null' } }, minContains: 2 },
    input: Array.from({ length: random.between(1, 99) }, () => randomJson(random)),
  })),
  template('enum-large', (random) => ({
    schema: { enum: Array.from({ length: random.between(10, 5000) }, (_, at) => ({ at })) },
    input: { at: -1 },
  })),
  template('properties-many', (random) => ({
    schema: {
      properties: Object.fromEntries(
        Array.from({ length: random.pick([10, 100, 1_000, 4_000]) }, (_, at) => [
          `p${at}`,
          { type: 'string', maxLength: at },
        ]),
      ),
    },
    input: { p3: 1 },
  })),
  template('definitions-many', (random) => ({
    schema: {
      $defs: Object.fromEntries(
        Array.from({ length: random.between(10, 3000) }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
      ),
      $ref: '#/$defs/d0',
    },
    input: 1,
  })),
  template('ids', (random) => ({
    schema: {
      $id: random.pick(['http://a.example/s', '#', '', 'urn:x', 'http://json-schema.org/draft-07/schema#']),
      allOf: [{ $id: 'b' }, { $id: 'b', type: 'null' }, { $anchor: 'x' }, { $dynamicRef: '#x' }],
    },
    input: null,
  })),
  template('names-odd', () => ({
    schema: {
      properties: {
        "a'b": {},
        'a\\b': {},
        'a\nb': {},
        '${x}': {},
        constructor: { type: 'string' },
        '"); process.exit(1); ("': { const: 1 },
      },
      required: ['toString', "');process.exit(1)//"],
    },
    input: { constructor: 1 },
  })),
  template('keywords-odd', (random) => ({
    schema: {
      type: random.pick<JsonValue>(['x', 1, null, ['string', 'string'], []]),
      minimum: '1',
      multipleOf: 0,
      maxLength: -1,
      properties: [],
      required: 'a',
      items: 3,
      dependencies: { a: 1 },
    },
  })),
  template('numbers', (random) => ({
    schema: { multipleOf: random.pick([1e-300, 0.1, 5e-324, 1e308]), maximum: 1e308 },
    input: random.pick([1e300, 0.3, 1, -1e308]),
  })),
  template('formats', (random) => ({
    schema: { format: random.pick(['email', 'uri', 'regex', 'date-time', 'x'.repeat(100), 'constructor']) },
    input: 'a'.repeat(random.between(1, 5000)),
  })),
  template('no-schema', (random) => ({
    schema: random.pick<JsonValue>([true, false, null, 1, 'a', [], {}]),
    input: randomJson(random),
  })),
  template('dynamic', () => ({
    schema: {
      $schema: DRAFT_2020,
      $dynamicAnchor: 'n',
      properties: { c: { items: { $dynamicRef: '#n' } } },
      unevaluatedProperties: false,
    },
    input: { c: [{ c: [] }], d: 1 },
  })),
  template('unevaluated', (random) => ({
    schema: {
      $schema: DRAFT_2020,
      ...wrapped(random.between(2, 8), (inner) => ({
        anyOf: [inner, { properties: { a: true } }],
        unevaluatedProperties: false,
      })),
    },
    input: { a: 1, b: 2 },
  })),
];

function valid(random: SeededRandom, depth: number): { [name: string]: JsonValue } {
  const type = random.pick(TYPES);
  const inner = () => (depth <= 0 ? true : valid(random, depth - 1));
  switch (random.between(0, 7)) {
    case 0:
      return { type };
    case 1:
      return {
        type: 'object',
        properties: { [random.pick(NAMES)]: inner(), [random.pick(NAMES)]: inner() },
        required: [random.pick(NAMES)],
      };
    case 2:
      return { type: 'array', items: inner(), minItems: random.between(0, 3), uniqueItems: random.next() < 0.3 };
    case 3:
      return { type: 'string', minLength: random.between(0, 5), pattern: random.pick(['^a', '\\d+', '[^x]*']) };
    case 4:
      return { type: 'number', minimum: random.between(-9, 9), multipleOf: random.pick([1, 0.5, 0.01]) };
    case 5:
      return { [random.pick(['allOf', 'anyOf', 'oneOf'])]: [inner(), inner()] };
    case 6:
      return { not: inner(), enum: [randomJson(random), 1] };
    default:
      return { const: randomJson(random), description: 'a' };
  }
}

/** Replaces or repeats one value at a random position. */
function mutated(schema: JsonValue, random: SeededRandom): JsonValue {
  if (typeof schema !== 'object' || schema === null || random.next() < 0.25)
    return random.pick<JsonValue>([
      randomJson(random),
      [schema, schema],
      { $ref: '#/properties/a' },
      { allOf: [schema, schema] },
      null,
    ]);
  if (Array.isArray(schema))
    return schema.map((item: JsonValue) => (random.next() < 0.5 ? mutated(item, random) : item));
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      random.next() < 0.1 ? 'x' : name,
      random.next() < 0.5 ? mutated(value, random) : value,
    ]),
  );
}
