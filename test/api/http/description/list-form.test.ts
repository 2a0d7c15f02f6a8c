import { expect, test } from 'vitest';
import type { Document, Schema } from '#api/http/description/document.ts';
import { differencesOf } from './list-form.ts';

const array = { type: 'array', items: { type: 'string' } };

function documentWith(query: Readonly<Record<string, Schema>>, properties: Record<string, Schema>): Document {
  const parameters = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }));
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  return {
    openapi: '3.0.3',
    info: {},
    components: { securitySchemes: {} },
    paths: { '/list': { get: { operationId: 'listThings', parameters, responses: { 200: { content } } } } },
  };
}

const kindsOf = (document: Document) => differencesOf(document).map(({ difference }) => difference);
const limit = { type: 'integer', maximum: 1_000, default: 100 } as Schema;
const text = { type: 'string' };

test('complete, cursor and offset lists have the common form', () => {
  expect(kindsOf(documentWith({}, { data: array }))).toEqual([]);
  expect(kindsOf(documentWith({ limit, cursor: text }, { data: array, limit: text, nextCursor: text }))).toEqual([]);
  const offsets = { limit: { ...limit, maximum: 100, default: 50 } as Schema, offset: text };
  expect(kindsOf(documentWith(offsets, { data: array, limit: text, offset: text, total: text }))).toEqual([]);
});

test('reports every difference', () => {
  expect(kindsOf(documentWith({}, { things: array }))).toEqual(['envelope']);
  expect(kindsOf(documentWith({ limit, cursor: text }, { data: array, limit: text }))).toEqual(['envelope']);
  expect(kindsOf(documentWith({ limit }, { data: array }))).toEqual(['envelope']);
  const other = { limit: { ...limit, maximum: 20, default: 10 } as Schema, cursor: text };
  expect(kindsOf(documentWith(other, { data: array, limit: text, nextCursor: text }))).toEqual(['maximum', 'default']);
  expect(kindsOf(documentWith({ createdAfter: text }, { data: array }))).toEqual(['bounds']);
  expect(kindsOf(documentWith({ createdAfter: text, from: text, to: text }, { data: array }))).toEqual([]);
  expect(kindsOf(documentWith({ state: { type: 'string', enum: ['open', 'closed'] } }, { data: array }))).toEqual([
    'single-value',
  ]);
});
