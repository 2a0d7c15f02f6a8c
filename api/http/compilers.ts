import type { FastifySchemaCompiler } from 'fastify';
import type { ZodType, z } from 'zod';
import { type ApiError, apiError, invalidRequest } from './api-error.ts';

/**
 * Checks a part of a request against its zod schema; every complaint becomes an issue of the envelope. An id in the path that no resource can
 * have is refused as an id that no resource has: clients need not know the form of ids. PUT can create the resource, so its path is input.
 */
export const validatorCompiler: FastifySchemaCompiler<ZodType> = ({ schema, httpPart, method }) => {
  const refuse = httpPart === 'params' && method !== 'PUT' ? invalidPath : invalidRequest;
  return (data: unknown) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: refuse(parsed.error) };
  };
};

/** 404 if only ids are wrong. File names and kinds stay a 400: they are values, and an unsafe one must be noticed. */
function invalidPath(error: z.ZodError): ApiError {
  const fields = error.issues.map(({ path }) => String(path[0] ?? ''));
  const [field] = fields;
  if (field === undefined || !fields.every((name) => /^id$|Id$/.test(name))) return invalidRequest(error);
  return apiError('not_found', 'no resource has this id', field);
}
