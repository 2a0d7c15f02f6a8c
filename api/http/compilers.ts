import type { FastifySchemaCompiler } from 'fastify';
import type { ZodType, z } from 'zod';
import { type ApiError, apiError, invalidRequest } from './api-error.ts';

/**
 * Validates a part of a request with its zod schema. Each zod issue becomes an issue of the envelope. A malformed id in
 * the path gets the same 404 as an unknown id, because clients need not know the format of ids. For PUT, which can
 * create the resource, the path is validated like other input.
 */
export const validatorCompiler: FastifySchemaCompiler<ZodType> = ({ schema, httpPart, method }) => {
  const refuse = httpPart === 'params' && method !== 'PUT' ? invalidPath : invalidRequest;
  return (data: unknown) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: refuse(parsed.error) };
  };
};

/**
 * Returns 404 if only ids are invalid. File names and kinds remain a 400: they are values, and an unsafe one must be
 * visible to the client.
 */
function invalidPath(error: z.ZodError): ApiError {
  const fields = error.issues.map(({ path }) => String(path[0] ?? ''));
  const [field] = fields;
  if (field === undefined || !fields.every((name) => /^id$|Id$/.test(name))) return invalidRequest(error);
  return apiError('not_found', 'no resource has this id', field);
}
