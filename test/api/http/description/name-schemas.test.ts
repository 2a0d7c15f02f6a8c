import { expect, test } from 'vitest';
import type { Document, Schema } from '#api/http/description/document.ts';
import { nameSchemas } from '#api/http/description/name-schemas.ts';

const text = { type: 'string' };
const object = (properties: Record<string, Schema>, rest: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...rest,
});

function documentWith(bodies: Readonly<Record<string, Schema>>): Document {
  return {
    openapi: '3.0.3',
    info: {},
    components: { securitySchemes: {} },
    paths: Object.fromEntries(
      Object.entries(bodies).map(([operationId, schema]) => [
        `/${operationId}`,
        { get: { operationId, responses: { 200: { content: { 'application/json': { schema } } } } } },
      ]),
    ),
  };
}

const schemaOf = ({ paths }: Document, operationId: string) =>
  paths[`/${operationId}`]?.get?.responses[200]?.content?.['application/json']?.schema;

test('bodies are named after their operation, and named schemas keep their name', () => {
  const detection = object({ id: text }, { schemaName: 'Detection' });
  const named = nameSchemas(
    documentWith({ listDetections: object({ data: { type: 'array', items: detection } }), getDetection: detection }),
  );
  expect(named.components.schemas).toEqual({
    Detection: object({ id: text }),
    ListDetectionsResponse: object({ data: { type: 'array', items: { $ref: '#/components/schemas/Detection' } } }),
  });
  expect(schemaOf(named, 'getDetection')).toEqual({ $ref: '#/components/schemas/Detection' });
});

test('an object that occurs twice is named after its first occurrence, and keeps each description', () => {
  const range = (description: string) => object({ from: text, to: text }, { description });
  const named = nameSchemas(documentWith({ compare: object({ before: range('Earlier'), after: range('Later') }) }));
  expect(named.components.schemas).toEqual({
    CompareResponse: object({
      before: { description: 'Earlier', allOf: [{ $ref: '#/components/schemas/CompareResponseBefore' }] },
      after: { description: 'Later', allOf: [{ $ref: '#/components/schemas/CompareResponseBefore' }] },
    }),
    CompareResponseBefore: object({ from: text, to: text }),
  });
});

test('a nullable object stays in place, and different objects never share a name', () => {
  const feedback = object({ text }, { schemaName: 'Feedback', nullable: true });
  const named = nameSchemas(
    documentWith({
      getRun: object({ feedback }),
      getFeedback: object({ text }, { schemaName: 'Feedback' }),
      giveFeedback: object({ text, author: text }, { schemaName: 'Feedback' }),
    }),
  );
  expect(named.components.schemas).toEqual({
    GetRunResponse: object({ feedback: object({ text }, { nullable: true }) }),
    Feedback: object({ text }),
    Feedback2: object({ text, author: text }),
  });
});
