import { isRecord, type Json } from './json.ts';

interface Common {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly preset: Json | undefined;
}

/** A form field, created from a JSON Schema. */
export type Field = Common &
  (
    | {
        readonly kind: 'text';
        readonly minLength: number;
        readonly maxLength: number | undefined;
        readonly pattern: string | undefined;
      }
    | {
        readonly kind: 'number';
        readonly integer: boolean;
        readonly minimum: number | undefined;
        readonly maximum: number | undefined;
      }
    | { readonly kind: 'boolean' }
    | { readonly kind: 'choice'; readonly options: readonly Json[] }
    | {
        readonly kind: 'list';
        readonly item: Field;
        readonly minItems: number;
        readonly maxItems: number | undefined;
      }
    | { readonly kind: 'object'; readonly fields: readonly Field[]; readonly open: boolean }
    /** Values without a form field are written as JSON, and the server checks them. */
    | { readonly kind: 'json' }
  );

const MAX_DEPTH = 6;
/** Keywords that a plain form cannot express. */
const BEYOND_FORMS = [
  '$ref',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'patternProperties',
  'prefixItems',
  '$dynamicRef',
];

/** Returns the form of a JSON Schema. Never throws: an unsupported schema becomes a field for JSON. */
export function fieldOf(schema: unknown, name = '', required = true, depth = 0): Field {
  const given = isRecord(schema) ? schema : {};
  const common: Common = {
    name,
    label: textOf(given.title) ?? name,
    description: textOf(given.description),
    required,
    preset: given.default as Json | undefined,
  };
  const asJson: Field = { ...common, kind: 'json' };
  if (depth > MAX_DEPTH || BEYOND_FORMS.some((key) => key in given)) return asJson;
  if ('const' in given) return { ...common, kind: 'choice', options: [given.const as Json] };
  if (Array.isArray(given.enum)) return { ...common, kind: 'choice', options: given.enum as readonly Json[] };
  switch (typeOf(given.type)) {
    case 'string':
      return {
        ...common,
        kind: 'text',
        minLength: numberOf(given.minLength) ?? 0,
        maxLength: numberOf(given.maxLength),
        pattern: textOf(given.pattern),
      };
    case 'number':
    case 'integer':
      return {
        ...common,
        kind: 'number',
        integer: typeOf(given.type) === 'integer',
        minimum: numberOf(given.minimum),
        maximum: numberOf(given.maximum),
      };
    case 'boolean':
      return { ...common, kind: 'boolean' };
    case 'array': {
      const item = fieldOf(given.items, name, true, depth + 1);
      const plain = ['text', 'number', 'boolean', 'choice'].includes(item.kind);
      if (!plain) return asJson;
      return {
        ...common,
        kind: 'list',
        item,
        minItems: numberOf(given.minItems) ?? 0,
        maxItems: numberOf(given.maxItems),
      };
    }
    case 'object':
      return isRecord(given.properties)
        ? { ...common, kind: 'object', fields: fieldsOf(given, depth), open: given.additionalProperties !== false }
        : asJson;
    default:
      return asJson;
  }
}

function fieldsOf({ properties, required }: { readonly [name: string]: unknown }, depth: number): Field[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) =>
    fieldOf(schema, name, needed.includes(name), depth + 1),
  );
}

/** Returns the type without null, because an empty field means null. */
function typeOf(type: unknown): string | undefined {
  if (!Array.isArray(type)) return textOf(type);
  const others = type.filter((one) => one !== 'null');
  return others.length === 1 ? textOf(others[0]) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
