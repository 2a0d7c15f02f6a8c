import { expect, test } from 'vitest';
import { z } from 'zod';
import { normalizeSchema } from '#api/http/description/normalize-schema.ts';
import { queryFlagOr, queryInteger, queryIntegerOr } from '#api/http/queries/query-values.ts';

const described = (schema: z.ZodType) => {
  const { $schema: _, ...generated } = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as object & {
    $schema?: string;
  };
  return normalizeSchema(generated);
};

test('a nullable enum lists null, also within other schemas', () => {
  const nullable = { type: 'string', nullable: true, enum: ['open', 'closed', null] };
  const schema = z.enum(['open', 'closed']).nullable();
  expect(described(schema)).toEqual(nullable);
  expect(described(z.object({ state: z.array(schema) })).properties?.state?.items).toEqual(nullable);
});

test('a nullable union has nullable members, because nullable needs a type in the same schema', () => {
  expect(normalizeSchema({ nullable: true, anyOf: [{ type: 'number' }, { type: 'boolean' }] })).toEqual({
    anyOf: [
      { type: 'number', nullable: true },
      { type: 'boolean', nullable: true },
    ],
  });
  expect(normalizeSchema({ nullable: true })).toEqual({});
});

test('integers and flags of a query have type, range and default', () => {
  expect(described(queryInteger({ min: 1, max: 100 }).describe('Maximum number'))).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    description: 'Maximum number',
  });
  expect(described(queryIntegerOr(50, { min: 1, max: 100 }).meta({ example: 50 }))).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 50,
    example: 50,
  });
  expect(described(z.object({ all: queryFlagOr(false) })).properties).toEqual({
    all: { type: 'boolean', default: false },
  });
});

test('omits limits of JavaScript integers, and such integers are int64', () => {
  expect(described(z.int())).toEqual({ type: 'integer', format: 'int64' });
  expect(described(z.int().max(10))).toEqual({ type: 'integer', maximum: 10 });
});

test('parses integers of a query from digits within the range', () => {
  const limit = queryIntegerOr(50, { min: 1, max: 100 });
  expect(limit.parse('7')).toBe(7);
  expect(limit.parse(undefined)).toBe(50);
  for (const refused of ['0', '101', '-1', '1.5', 'x', '', '1e1'])
    expect(limit.safeParse(refused).error?.issues[0]?.message).toBe('must be a whole number from 1 to 100');
});
