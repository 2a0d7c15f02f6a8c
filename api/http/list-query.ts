import { z } from 'zod';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { MAX_PAGE } from '#analytics/clickhouse/read-models/listing.ts';
import type { RecordKind } from '#analytics/formats/record.ts';
import { DETECTION_STATUSES, RULE_IDS, SEVERITIES } from '#schemas/detection.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';
import { invalidRequest } from './api-error.ts';

const EVENT_TYPES = [
  'RegisterProbe',
  'LinuxKernelTrap',
  'LinuxFatalSignal',
  'LinuxSuppressedCallback',
  'ConfigMismatch',
] as const;
const DEFAULT_LIMIT = 100;

const instant = z.string().transform((text, context) => {
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  context.addIssue({ code: 'custom', message: 'an RFC 3339 date-time is expected, such as 2026-03-01T12:00:00Z' });
  return z.NEVER;
});
const name = z.string().min(1).max(4096);

const time = { from: instant.optional(), to: instant.optional() };
const search = { q: z.string().min(1).max(1000).optional() };
const subject = {
  hostname: name.optional(),
  procname: name.optional(),
  file: name.optional(),
  register: name.optional(),
};
const detection = {
  detection: z
    .string()
    .regex(/^det_[0-9a-f]{32}$/, 'the id of a detection is expected')
    .optional(),
};

/** The filters of each list. What a list can't be narrowed by is refused, never ignored. */
export const FILTER_SHAPES = {
  events: { ...time, ...subject, ...detection, ...search, type: z.enum(EVENT_TYPES).optional() },
  detections: {
    ...time,
    ...subject,
    ...detection,
    ...search,
    rule: z.enum(RULE_IDS).optional(),
    severity: z.enum(SEVERITIES).optional(),
    status: z.enum(DETECTION_STATUSES).optional(),
  },
  'dead-letters': {
    ...time,
    ...search,
    code: z.enum(Object.keys(REJECTIONS)).optional(),
    topic: name.optional(),
    status: z.enum(['open', 'redriven']).optional(),
  },
} as const satisfies Record<RecordKind, z.ZodRawShape>;

const paging = {
  limit: z
    .string()
    .regex(/^\d{1,6}$/, 'a whole number is expected')
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_PAGE))
    .optional(),
  cursor: z.string().min(1).max(2000).optional(),
  format: z.string().max(20).optional(),
};

const QUERIES = {
  events: z.strictObject({ ...FILTER_SHAPES.events, ...paging }),
  detections: z.strictObject({ ...FILTER_SHAPES.detections, ...paging }),
  'dead-letters': z.strictObject({ ...FILTER_SHAPES['dead-letters'], ...paging }),
} as const;

export interface ListQuery {
  readonly filters: Filters;
  readonly page: { readonly limit: number; readonly cursor?: string };
  /** Neither `limit` nor `cursor` was given: formats that stream then stream everything. */
  readonly unbounded: boolean;
  readonly format: string | undefined;
}

/** Reads the query string of a list. Throws 400 naming every parameter that is wrong. */
export function readListQuery(kind: RecordKind, query: unknown): ListQuery {
  const parsed = QUERIES[kind].safeParse(query);
  if (!parsed.success) throw invalidRequest(parsed.error);
  const { limit, cursor, format, ...filters } = parsed.data;
  return {
    filters: withoutUndefined(filters),
    page: { limit: limit ?? DEFAULT_LIMIT, ...(cursor === undefined ? {} : { cursor }) },
    unbounded: limit === undefined && cursor === undefined,
    format,
  };
}

/** Filters that were not given are absent, not undefined. */
export function withoutUndefined(filters: { readonly [Name in keyof Filters]: Filters[Name] | undefined }): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
