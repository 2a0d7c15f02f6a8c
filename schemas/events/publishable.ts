import { stringifyExact } from '../json/stringify-exact.ts';
import { EVENT_VERSIONS } from './registry.ts';

/** An event schema in the form that is published to a schema registry. */
export interface PublishableSchema {
  readonly version: string;
  /**
   * JSON Schema text. It is byte-identical on every machine and at every start, because a registry assigns an id per
   * exact text.
   */
  readonly text: string;
}

/**
 * RFC 3339 date-time as a regular expression. It accepts impossible days, because a pattern cannot count. Every
 * validator supports `pattern`, while some ignore or reject `format`.
 */
const DATE_TIME_PATTERN =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';

const MAX_UINT64 = 18446744073709551615n;

/**
 * Returns the texts of all event schemas in draft-07, the newest draft that Confluent, Apicurio and their clients all
 * support. Keywords that only our validator supports are converted: `discriminator` is removed, because `oneOf` with
 * constants is equivalent. `format: uint64` becomes an exact maximum, `format: date-time` a pattern.
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
