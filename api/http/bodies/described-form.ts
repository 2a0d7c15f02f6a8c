import { z } from 'zod';

/** A field of a form, as an OpenAPI schema. */
export type DescribedField = { readonly type: 'string'; readonly format?: 'binary'; readonly description: string };

/** Describes the bodies, JSON or a form, of a route that parses them itself. It validates nothing. */
export function jsonOrForm(
  json: z.ZodType,
  form: {
    readonly properties: Readonly<Record<string, DescribedField>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: DescribedField;
  },
): Readonly<Record<string, { readonly schema: object }>> {
  return {
    'application/json': {
      schema: z.toJSONSchema(json, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' }),
    },
    'multipart/form-data': { schema: { type: 'object', additionalProperties: false, ...form } },
  };
}

/** The form has one file field per input, and one field for the rest of the input. */
export function inputForm(inputField: string) {
  return {
    properties: { _json: { type: 'string', description: inputField } },
    additionalProperties: {
      type: 'string',
      format: 'binary',
      description: 'A file. The field has the name of the input',
    },
  } as const;
}
