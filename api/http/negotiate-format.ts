import type { Format, FormatName } from '#analytics/formats/format.ts';
import { FORMATS, formatsOf, listFormatsOf } from '#analytics/formats/formats.ts';
import type { RecordKind } from '#analytics/formats/record.ts';
import { apiError } from './api-error.ts';

/** The types a client asks for in `Accept`; more specific formats have no registered type and go by `?format=`. */
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
 * The format of an answer: `?format=` before `Accept`, else JSON. Throws 400 or 406 naming those there are; `whole`: the answer is a list, which can also
 * be asked for as Parquet (`asksForParquet`).
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
    throw apiError('invalid_value', `one of ${accepted.join(', ')} is expected`, 'format');
  }
  if (accept === undefined || accept.trim() === '') return FORMATS.json;
  for (const type of typesByPreference(accept)) {
    const format = MEDIA_TYPES[type];
    if (format !== undefined && offered.includes(format)) return FORMATS[format];
  }
  throw apiError('not_acceptable', 'application/json, application/x-ndjson or text/csv is expected', 'accept');
}

/** Highest `q` first, in the order given among equals; those with `q=0` left out. */
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
