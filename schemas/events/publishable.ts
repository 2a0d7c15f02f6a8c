import { stringifyExact } from '../json/stringify-exact.ts';
import { EVENT_VERSIONS } from './registry.ts';

/** An event schema as it goes to a schema registry. */
export interface PublishableSchema {
  readonly version: string;
  /** JSON Schema text. A registry gives an id by the exact text, so it is the same on every machine and at every start. */
  readonly text: string;
}

/**
 * RFC 3339 by its letters. Looser than what is accepted (impossible days pass), because a pattern cannot count, but understood by every
 * validator, while `format` is ignored by some and refused by others.
 */
const DATE_TIME_PATTERN =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';

const MAX_UINT64 = 18446744073709551615n;

/**
 * The texts of all event schemas. Draft-07, the newest draft that the registries in use (Confluent, Apicurio) and their clients all read;
 * what only our own validator knows is put into the words of that draft: `discriminator` is left out (`oneOf` with constants
 * says the same), `format: uint64` becomes a maximum with all its digits, `format: date-time` a pattern.
 */
export function publishableSchemas(): PublishableSchema[] {
  return EVENT_VERSIONS.map(({ version, schema }) => {
    const translated = { ...translate(schema), $schema: 'http://json-schema.org/draft-07/schema#' };
    return { version, text: stringifyExact(translated) };
  });
}

function translate(schema: object): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'discriminator') continue;
    if (name === 'format' && value === 'uint64') out.maximum = MAX_UINT64;
    else if (name === 'format' && value === 'date-time') out.pattern = DATE_TIME_PATTERN;
    else out[name] = translateValue(value);
  }
  return out;
}

function translateValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translateValue);
  return typeof value === 'object' && value !== null ? translate(value) : value;
}
