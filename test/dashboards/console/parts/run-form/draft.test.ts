import { expect, test } from 'vitest';
import { draftOf, readDraft } from '#dashboards/console/src/parts/run-form/draft.ts';
import { fieldOf } from '#dashboards/console/src/parts/run-form/field.ts';

const schema = {
  type: 'object',
  required: ['host', 'mode', 'inner'],
  properties: {
    host: { type: 'string', minLength: 2, pattern: '^[a-z]' },
    port: { type: 'integer', minimum: 1, maximum: 65535 },
    share: { type: ['number', 'null'] },
    dry: { type: 'boolean', default: true },
    mode: { enum: ['fast', 'slow', 3] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    inner: { type: 'object', required: ['deep'], properties: { deep: { type: 'string' } } },
    maybe: { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'integer' } } },
    other: { oneOf: [{ type: 'string' }, { type: 'object' }] },
    rows: { type: 'array', items: { type: 'object' } },
  },
};
const field = fieldOf(schema);

test('every kind of schema has a field; values without a form field are JSON', () => {
  const kinds = field.kind === 'object' ? field.fields.map(({ name, kind }) => [name, kind]) : [];
  expect(kinds).toEqual([
    ['host', 'text'],
    ['port', 'number'],
    ['share', 'number'],
    ['dry', 'boolean'],
    ['mode', 'choice'],
    ['tags', 'list'],
    ['inner', 'object'],
    ['maybe', 'object'],
    ['other', 'json'],
    ['rows', 'json'],
  ]);
  expect(fieldOf(undefined).kind).toBe('json');
  expect(fieldOf({ $ref: '#/x', type: 'object' }).kind).toBe('json');
});

test('converts a completed form to its value, without empty fields', () => {
  const value = {
    host: 'web-1',
    port: 443,
    share: 0.5,
    dry: false,
    mode: 3,
    tags: ['a', 'b'],
    inner: { deep: 'x' },
    other: { any: [1] },
  };
  expect(readDraft(field, draftOf(field, value))).toEqual({ value, problems: [] });
  const least = draftOf(field, { host: 'ab', mode: 'fast', inner: { deep: 'x' } });
  expect(readDraft(field, least).value).toEqual({ host: 'ab', dry: true, mode: 'fast', inner: { deep: 'x' } });
});

test('reports an invalid value at its field', () => {
  const draft = {
    ...(draftOf(field) as object),
    host: '1',
    port: '1.5',
    share: 'much',
    tags: ['a', 'b', 'c'],
    maybe: { a: '', b: '7' },
    other: '{',
  };
  const { problems } = readDraft(field, draft);
  expect(problems.map(({ path }) => path)).toEqual([
    'host',
    'port',
    'share',
    'mode',
    'tags',
    'inner.deep',
    'maybe.a',
    'other',
  ]);
});

test('rejects a number that a browser would round', () => {
  const number = fieldOf({ type: 'integer' });
  expect(readDraft(number, '9007199254740993').problems).toHaveLength(1);
  expect(readDraft(number, '9007199254740991').value).toBe(9007199254740991);
});
