import type { Format, FormatName } from '#analytics/formats/format.ts';
import { FORMATS, formatsOf, listFormatsOf } from '#analytics/formats/formats.ts';
import type { RecordKind } from '#analytics/formats/record.ts';
import { apiError } from '../api-error.ts';

/** Media types for `Accept`. Formats without a registered type are selected by `?format=` only. */
const MEDIA_TYPES: Readonly<Record<string, FormatName>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
  'application/*': 'json',
  'text/*': 'csv',
  '*/*': 'json',
};

/**
 * Returns the format of a response: `?format=` first, then `Accept`, otherwise JSON. Throws a 400 or 406 that names the
 * supported formats. With `whole`, the response is a complete list, which is also available as Parquet
 * (`asksForParquet`).
 */
export function negotiateFormat(
  kind: RecordKind,
  named: string | undefined,
  accept: string | undefined,
  { whole }: { readonly whole: boolean },
): Format {
  const offered: readonly FormatName[] = formatsOf(kind).filter((name) => name !== 'table');
  if (named !== undefined) {
    const format = offered.find((name) => name === named);
    if (format !== undefined) return FORMATS[format];
    const accepted = whole ? listFormatsOf(kind).filter((name) => name !== 'table') : offered;
    throw apiError('invalid_value', `must be one of ${accepted.join(', ')}`, 'format');
  }
  if (accept === undefined || accept.trim() === '') return FORMATS.json;
  for (const type of typesByPreference(accept)) {
    const format = MEDIA_TYPES[type];
    if (format !== undefined && offered.includes(format)) return FORMATS[format];
  }
  throw apiError('not_acceptable', 'must be application/json, application/x-ndjson or text/csv', 'accept');
}

/** Returns the accepted types by descending `q`, in the given order for equal `q`. Types with `q=0` are omitted. */
function typesByPreference(accept: string): string[] {
  return accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { type, weight: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ type }) => type);
}
