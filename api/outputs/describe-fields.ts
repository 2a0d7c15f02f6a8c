import { z } from 'zod';
import type { outputFieldSchema } from '#schemas/api/outputs.ts';
import { PEM_MEDIA_TYPE } from './fields.ts';

type OutputField = z.output<typeof outputFieldSchema>;

/** Keywords of JSON Schema that a field in `kinds/` can have; `x-labels`: see `choice()`. */
interface FieldSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly 'x-labels'?: Readonly<Record<string, string>>;
  readonly contentMediaType?: string;
}

/** Returns the fields of the settings or secrets of a kind of output, for forms. */
export function describeFields(schema: z.ZodObject): OutputField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties as Readonly<Record<string, FieldSchema>>).map(([name, field]) => ({
    name,
    label: field.title ?? '',
    description: field.description ?? null,
    input: inputOf(field),
    required: required.includes(name),
    default: field.default ?? null,
    choices: field.enum?.map((value) => ({ value, label: field['x-labels']?.[value] ?? value })) ?? null,
  }));
}

function inputOf({ type, enum: values, contentMediaType }: FieldSchema): OutputField['input'] {
  if (values !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  return contentMediaType === PEM_MEDIA_TYPE ? 'pem' : 'text';
}
