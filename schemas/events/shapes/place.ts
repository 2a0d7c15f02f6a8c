/** What may stand at a place of an event without changing whether a schema accepts it. */
export type Slot =
  /** Any text, at a place that the schema names: most come again. */
  | 'name'
  /** Any text. */
  | 'text'
  /** An RFC 3339 date-time. */
  | 'time'
  /** An unsigned 64-bit integer. */
  | 'uint64'
  /** An integer that a double holds exactly. */
  | 'integer';

/** The part of JSON Schema that says what may stand at one place. */
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

const NOTES = ['$schema', '$id', 'title'];
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

/** A place of an object. */
export interface Place {
  /** Undefined: one that the schema does not know, which takes anything. */
  readonly schema: PlaceSchema | undefined;
  /** By its own name, not as one of any number of members. */
  readonly isNamed: boolean;
}

/** What a text or a plain integer at the place may be replaced by. `same`: by nothing. Undefined: the schema says something that is not understood here. */
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

type PlaceOf = (member: string) => Place;

/** The places of an object that the schema accepts. Undefined when the schema says something that is not understood here. */
export function placesOf(
  schema: PlaceSchema | undefined,
  object: Readonly<Record<string, unknown>>,
): PlaceOf | undefined {
  if (schema === undefined) return () => ({ schema: undefined, isNamed: false });
  if (!Object.keys(schema).every((keyword) => OBJECT_KEYWORDS.has(keyword))) return undefined;
  const { discriminator, oneOf, properties, additionalProperties } = schema;
  if (discriminator === undefined && oneOf === undefined) {
    if (typeof additionalProperties === 'boolean') return undefined;
    return (member) =>
      properties !== undefined && Object.hasOwn(properties, member)
        ? { schema: properties[member], isNamed: true }
        : { schema: additionalProperties, isNamed: false };
  }
  // Members would have two schemas.
  if (discriminator === undefined || properties !== undefined || additionalProperties !== undefined) return undefined;
  const { propertyName } = discriminator;
  const chosen = oneOf?.find((variant) => variant.properties?.[propertyName]?.const === object[propertyName]);
  return chosen && placesOf(chosen, object);
}
