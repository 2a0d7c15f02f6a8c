/** The values that a position of an event may have without affecting validation. */
export type Slot =
  /** Any string, in a field that the schema declares. Most of these values repeat, so they are cached. */
  | 'name'
  /** Any string. */
  | 'text'
  /** An RFC 3339 date-time. */
  | 'time'
  /** An unsigned 64-bit integer. */
  | 'uint64'
  /** An integer that a double holds exactly. */
  | 'integer';

/** The JSON Schema keywords that shapes support. */
export interface PlaceSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, PlaceSchema>>;
  readonly additionalProperties?: PlaceSchema | boolean;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly PlaceSchema[];
}

const NOTES = ['$schema', '$id', 'title', 'description'];
const VALUE_KEYWORDS = new Set(['type', 'format', 'const', 'enum', 'minimum']);
const OBJECT_KEYWORDS = new Set([
  ...NOTES,
  'type',
  'required',
  'properties',
  'additionalProperties',
  'discriminator',
  'oneOf',
]);

/** A field of an object. */
export interface Place {
  /** Undefined if the schema does not declare the field. Such a field accepts any value. */
  readonly schema: PlaceSchema | undefined;
  /** True if the schema declares the field by name, and false for additional properties. */
  readonly isNamed: boolean;
}

/**
 * Returns the slot type of a string or an integer in this field, or `same` if its value must not change. Returns
 * undefined if the schema uses a keyword that shapes do not support.
 */
export function slotOf({ schema, isNamed }: Place, value: string | number | bigint): Slot | 'same' | undefined {
  if (schema === undefined) return typeof value === 'string' ? 'text' : 'integer';
  if (!Object.keys(schema).every((keyword) => VALUE_KEYWORDS.has(keyword))) return undefined;
  if (schema.const !== undefined || schema.enum !== undefined) return 'same';
  if (typeof value === 'string') {
    if (!takes(schema, 'string')) return undefined;
    if (schema.format === undefined) return isNamed ? 'name' : 'text';
    return schema.format === 'date-time' ? 'time' : undefined;
  }
  return takes(schema, 'integer') && schema.format === 'uint64' && schema.minimum === 0 ? 'uint64' : undefined;
}

function takes({ type }: PlaceSchema, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

function isNote(schema: PlaceSchema): boolean {
  return Object.keys(schema).every((keyword) => NOTES.includes(keyword));
}

type PlaceOf = (member: string) => Place;

/**
 * Returns a function that returns the schema of each field of an object. Returns undefined if the schema uses a keyword
 * that shapes do not support.
 */
export function placesOf(
  schema: PlaceSchema | undefined,
  object: Readonly<Record<string, unknown>>,
): PlaceOf | undefined {
  if (schema === undefined) return () => ({ schema: undefined, isNamed: false });
  if (!Object.keys(schema).every((keyword) => OBJECT_KEYWORDS.has(keyword))) return undefined;
  const { discriminator, oneOf, properties, additionalProperties } = schema;
  if (discriminator === undefined && oneOf === undefined) {
    if (typeof additionalProperties === 'boolean') return undefined;
    return (member) => {
      const declared = properties !== undefined && Object.hasOwn(properties, member) ? properties[member] : undefined;
      if (declared === undefined) return { schema: additionalProperties, isNamed: false };
      // A member that is only described accepts any value.
      return isNote(declared) ? { schema: undefined, isNamed: false } : { schema: declared, isNamed: true };
    };
  }
  // A member would have two schemas.
  if (discriminator === undefined || properties !== undefined || additionalProperties !== undefined) return undefined;
  const { propertyName } = discriminator;
  const chosen = oneOf?.find((variant) => variant.properties?.[propertyName]?.const === object[propertyName]);
  return chosen && placesOf(chosen, object);
}
