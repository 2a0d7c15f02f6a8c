import type { FastifySchemaCompiler } from 'fastify';
import type { ZodType } from 'zod';
import { invalidRequest } from './api-error.ts';

/** Checks a part of a request against its zod schema; every complaint becomes an issue of the envelope. */
export const validatorCompiler: FastifySchemaCompiler<ZodType> = ({ schema }) => {
  return (data: unknown) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: invalidRequest(parsed.error) };
  };
};
