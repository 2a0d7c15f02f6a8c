import { z } from 'zod';

/** A field of a form, as OpenAPI has it. */
export type DescribedField = { readonly type: 'string'; readonly format?: 'binary'; readonly description: string };

/** The bodies of a route that reads them itself, JSON or a form, for its description. Nothing is checked by it. */
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

/** Files under the names of the inputs they are, and the rest of the input in one field. */
export function inputForm(inputField: string) {
  return {
    properties: { _json: { type: 'string', description: inputField } },
    additionalProperties: { type: 'string', format: 'binary', description: 'A file, named after the input it is' },
  } as const;
}
