import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { invalidRequest } from '#api/http/api-error.ts';
import { usePlainMessages } from '#schemas/plain-message.ts';

beforeAll(usePlainMessages);

const messageOf = (schema: z.ZodType, value: unknown) => {
  const { error } = z.object({ value: schema }).safeParse({ value });
  return error && invalidRequest(error).issues[0]?.message;
};

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 1, 'must be a string'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.object({}), [], 'must be an object'],
  [z.array(z.string()), {}, 'must be an array'],
  [z.enum(['open', 'closed']), 'ajar', 'must be one of open, closed'],
  [z.literal('V1'), 'V2', 'must be "V1"'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().max(9), 10, 'must be at most 9'],
  [z.number().positive(), 0, 'must be above 0'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(3), 'four', 'must have at most 3 characters'],
  [z.array(z.string()).min(2), [], 'must have at least 2 items'],
  [z.iso.datetime(), 'today', 'must be an RFC 3339 date-time such as 2026-03-01T12:00:00Z'],
  [z.email(), 'no address', 'must be an email address'],
  [z.union([z.string(), z.number()]), true, 'the value has none of the accepted forms'],
  [z.string().regex(/^a$/, 'must be the letter a'), 'b', 'must be the letter a'],
])('%#: describes the expected value in plain words', (schema, value, message) => {
  expect(messageOf(schema, value)).toBe(message);
});

test('names unknown fields, also where the error is not a response of the API', () => {
  const { error } = z.strictObject({}).safeParse({ minAbort: 1, exeptions: 2 });
  expect(error?.message).toContain('unknown fields minAbort, exeptions');
});

test('a missing field and a missing body are required, whatever their type', () => {
  const body = z.object({ name: z.string(), kind: z.enum(['a']) });
  expect(body.safeParse({}).error && invalidRequest(body.safeParse({}).error as z.ZodError).issues).toMatchObject([
    { field: 'name', code: 'required', message: 'is required' },
    { field: 'kind', code: 'required', message: 'is required' },
  ]);
  const { error } = body.safeParse(null);
  expect(error && invalidRequest(error).issues).toMatchObject([{ field: '<root>', code: 'required' }]);
});
