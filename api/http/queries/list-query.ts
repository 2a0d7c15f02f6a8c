import { z } from 'zod';
import { type Filters, NO_VALUE, type ValueFilter } from '#analytics/clickhouse/read-models/filters.ts';
import { MAX_PAGE } from '#analytics/clickhouse/read-models/listing.ts';
import { RECORD_FIELDS } from '#analytics/clickhouse/search/record-fields.ts';
import { searchCondition } from '#analytics/clickhouse/search/search-condition.ts';
import { isKnownRuleId, RULES } from '#analytics/detections/rule-registry.ts';
import type { RecordKind } from '#analytics/formats/record.ts';
import { SearchError } from '#analytics/search/search-error.ts';
import { DETECTION_SORTS, type DetectionSort, SORT_ORDERS, type SortOrder } from '#schemas/api/detection-sort.ts';
import { DETECTION_STATUSES, SEVERITIES, VERDICTS } from '#schemas/detection.ts';
import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';
import { readTimestamp } from '#schemas/events/timestamp.ts';
import { DEAD_LETTER_REASONS, REJECTIONS } from '#schemas/rejection-codes.ts';
import { parseRelative } from './moment.ts';
import { queryChoices, queryNames, queryWords } from './query-list.ts';
import { queryInteger } from './query-values.ts';

const EVENT_TYPES = [
  'RegisterProbe',
  'LinuxKernelTrap',
  'LinuxFatalSignal',
  'LinuxSuppressedCallback',
  'ConfigMismatch',
] as const;
export const DEFAULT_LIMIT = 100;

const instant = z.string().transform((text, context) => {
  const relative = parseRelative(text, Date.now());
  if (relative !== undefined)
    return { seconds: Math.floor(relative / 1000), nanos: (relative - Math.floor(relative / 1000) * 1000) * 1_000_000 };
  const time = readTimestamp(text);
  if (typeof time !== 'string') return time;
  const message =
    time === 'out_of_range'
      ? REJECTIONS.timestamp_out_of_range.message
      : 'must be an RFC 3339 date-time, such as 2026-03-01T12:00:00Z, or now()-7d';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
const names = queryNames();

const time = {
  from: instant
    .optional()
    .describe('from this time on, RFC 3339 or now()-7d (s, m, h, d, w)')
    .meta({ example: '2026-03-01T12:00:00Z' }),
  to: instant.optional().describe('before this time, RFC 3339 or now()-7d').meta({ example: '2026-03-02T00:00:00Z' }),
};
/** Also parsed here, so that an error is reported before any query runs. */
const searchFor = (kind: RecordKind) => ({
  q: z
    .string()
    .min(1)
    .max(1000)
    .superRefine((text, context) => {
      try {
        searchCondition(kind, text);
      } catch (error) {
        if (!(error instanceof SearchError)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
      }
    })
    .optional()
    .describe(
      `Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: ${Object.keys(RECORD_FIELDS[kind].fields).join(', ')}`,
    )
    .meta({ example: 'nginx' }),
});
const subject = {
  hostname: names.optional().describe('exact host, or several').meta({ example: 'web-1,web-2' }),
  procname: names.optional().describe('exact program, or several').meta({ example: 'nginx' }),
  file: names.optional().describe('exact mapped file, or several').meta({ example: '/usr/sbin/nginx' }),
  register: names.optional().describe('exact register, or several').meta({ example: 'ip' }),
  executable: names.optional().describe('exact executable, or several').meta({ example: '/usr/sbin/nginx' }),
  unit: names.optional().describe('exact systemd unit, or several').meta({ example: 'nginx.service' }),
  container: names.optional().describe('exact container id, or several'),
  pod: names.optional().describe('exact Kubernetes pod UID, or several'),
};
const detection = {
  detection: z
    .string()
    .regex(/^det_[0-9a-f]{32}$/, 'must be the id of a detection')
    .optional()
    .describe('id of a detection; for events: the evidence of this detection'),
};

const EVENT_VALUES = {
  ...subject,
  type: queryChoices(EVENT_TYPES).optional().describe('event type, or several'),
};
const DETECTION_VALUES = {
  ...subject,
  hostname: names
    .optional()
    .describe('exact host, or several; includes campaigns that reached the host')
    .meta({ example: 'web-1,web-2' }),
  parent: names
    .optional()
    .describe('exact executable of the parent process, or several; its name if the executable is unknown')
    .meta({ example: '/usr/sbin/nginx' }),
  rule: queryWords(RULE_ID_PATTERN.source.slice(1, -1), 'one or more ids of rules')
    .superRefine((ids, context) => {
      const unknown = ids.find((id) => !isKnownRuleId(id));
      if (unknown === undefined) return;
      const known = RULES.map(({ id }) => id).join(', ');
      context.addIssue({ code: 'custom', message: `there is no rule ${unknown}: must be one of ${known}` });
    })
    .optional()
    .describe('rule id, or several'),
  campaign: queryWords(`det_[0-9a-f]{32}|${NO_VALUE}`, 'one or more ids of detections')
    .optional()
    .describe(
      'id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign',
    ),
  severity: queryChoices(SEVERITIES).optional().describe('severity, or several'),
  status: queryChoices(DETECTION_STATUSES).optional().describe('state, or several'),
  verdict: queryChoices([...VERDICTS, NO_VALUE])
    .optional()
    .describe('verdict, or several; null: no verdict'),
  assignee: names.optional().describe('assigned analyst, or several; null: not assigned'),
};

/** Adds an excluding filter for each filter by values: `exclude.hostname=web-1`. */
function exclusionsOf<V extends Readonly<Partial<Record<ValueFilter, z.ZodType>>>>(values: V) {
  const all = Object.entries(values).map(([filter, schema]) => [
    `exclude.${filter}`,
    schema.describe(
      `excludes records with this ${filter}, or with one of several; records without a value are included`,
    ),
  ]);
  return Object.fromEntries(all) as { readonly [Name in keyof V & string as `exclude.${Name}`]: V[Name] };
}

/**
 * The filters of each list. An unknown filter is rejected, never ignored. Filters by values accept several values,
 * joined by commas; a record matches if it has one of them.
 */
export const FILTER_SHAPES = {
  events: {
    ...time,
    ...EVENT_VALUES,
    ...exclusionsOf(EVENT_VALUES),
    ...detection,
    ...searchFor('events'),
  },
  detections: {
    ...time,
    ...DETECTION_VALUES,
    ...exclusionsOf(DETECTION_VALUES),
    ...detection,
    ...searchFor('detections'),
  },
  'dead-letters': {
    ...time,
    ...searchFor('dead-letters'),
    code: queryChoices(DEAD_LETTER_REASONS).optional().describe('rejection reason, or several'),
    topic: names.optional().describe('topic, or several'),
    status: queryChoices(['open', 'redriven']).optional().describe('whether a redrive was successful'),
  },
} as const satisfies Record<RecordKind, z.ZodRawShape>;

/** `limit` and `cursor` of lists with pages. */
export const PAGING = {
  limit: queryInteger({ min: 1, max: MAX_PAGE })
    .optional()
    .describe(
      'records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it',
    )
    .meta({ example: 100 }),
  cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the previous page'),
};
const format = {
  format: z
    .string()
    .max(20)
    .optional()
    .describe(
      'json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`',
    )
    .meta({ example: 'ndjson' }),
};

const DETECTION_ORDER = {
  sort: z
    .enum(DETECTION_SORTS)
    .optional()
    .describe(
      'by latest evidence (default), severity, logged crashes, host name, or host risk; equal values are sorted by latest evidence, latest first. By risk, paging may repeat or omit detections that change at the same time',
    ),
  order: z
    .enum(SORT_ORDERS)
    .optional()
    .describe('sort direction; default asc by host, otherwise desc. A cursor is valid only for the order of its list'),
};

/** The query string schema of each list. */
export const LIST_QUERIES = {
  events: z.strictObject({ ...FILTER_SHAPES.events, ...PAGING, ...format }),
  detections: z.strictObject({ ...FILTER_SHAPES.detections, ...DETECTION_ORDER, ...PAGING, ...format }),
  'dead-letters': z.strictObject({ ...FILTER_SHAPES['dead-letters'], ...PAGING, ...format }),
} as const;

export type ListQueryValues = z.output<(typeof LIST_QUERIES)[RecordKind]>;

/** The sort fields of each list that can be sorted. */
export interface ListOrder {
  readonly sort?: DetectionSort | undefined;
  readonly order?: SortOrder | undefined;
}

export interface ListQuery {
  readonly filters: Filters;
  readonly order: ListOrder;
  readonly page: { readonly limit: number; readonly cursor?: string };
  /**
   * True if neither `limit` nor `cursor` was given. All formats except JSON then stream the whole list; JSON pages have
   * an envelope.
   */
  readonly unbounded: boolean;
  readonly format: string | undefined;
}

/** Parses the validated query string of a list. */
export function readListQuery(query: Partial<ListQueryValues> & ListOrder): ListQuery {
  const { limit, cursor, format, sort, order, ...filters } = query;
  return {
    filters: withoutUndefined(filters),
    order: { sort, order },
    page: { limit: limit ?? DEFAULT_LIMIT, ...(cursor === undefined ? {} : { cursor }) },
    unbounded: limit === undefined && cursor === undefined,
    format,
  };
}

/** Omits filters that were not given, instead of setting them to undefined. */
export function withoutUndefined(filters: { readonly [Name in keyof Filters]: Filters[Name] | undefined }): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
