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
  [z.string(), 1, 'a string is expected'],
  [z.int(), 1.5, 'a whole number is expected'],
  [z.boolean(), 'yes', 'true or false is expected'],
  [z.object({}), [], 'an object is expected'],
  [z.array(z.string()), {}, 'an array is expected'],
  [z.enum(['open', 'closed']), 'ajar', 'one of open, closed is expected'],
  [z.literal('V1'), 'V2', '"V1" is expected'],
  [z.number().min(1), 0, 'a number of at least 1 is expected'],
  [z.number().max(9), 10, 'a number of at most 9 is expected'],
  [z.number().positive(), 0, 'a number above 0 is expected'],
  [z.string().min(1), '', 'at least 1 character is expected'],
  [z.string().max(3), 'four', 'at most 3 characters are expected'],
  [z.array(z.string()).min(2), [], 'at least 2 items are expected'],
  [z.iso.datetime(), 'today', 'an RFC 3339 date-time such as 2026-03-01T12:00:00Z is expected'],
  [z.email(), 'no address', 'an email address is expected'],
  [z.union([z.string(), z.number()]), true, 'the value has none of the accepted forms'],
  [z.string().regex(/^a$/, 'the letter a is expected'), 'b', 'the letter a is expected'],
])('%#: the message says what is expected in plain words', (schema, value, message) => {
  expect(messageOf(schema, value)).toBe(message);
});

test('unknown fields are named, also where the error is not an answer of the API', () => {
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
