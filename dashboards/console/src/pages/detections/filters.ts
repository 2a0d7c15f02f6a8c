import { DETECTION_STATUSES, RULE_ID_PATTERN, SEVERITIES, VERDICTS } from '#schemas/detection-terms.ts';
import { defined } from '../../parts/defined.ts';
import { joinValues, splitValues } from '../../parts/filters/filter-values.ts';
import { choiceParam, textParam } from '../../parts/search-params.ts';
import { endsOf, RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time/time-range.ts';
import type { Detection } from '../detection/detection-types.ts';

/** Filters that accept several values and can exclude values. */
export const VALUE_FILTERS = [
  'severity',
  'status',
  'verdict',
  'rule',
  'campaign',
  'assignee',
  'hostname',
  'procname',
  'file',
  'register',
  'executable',
  'parent',
  'unit',
  'container',
  'pod',
] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];
export type ValueKey = ValueFilter | `exclude.${ValueFilter}`;
/** Filters and exclusions, by the names of their search parameters. */
export const VALUE_KEYS = VALUE_FILTERS.flatMap((name): ValueKey[] => [name, `exclude.${name}`]);

/** Filters of the list of detections, as search parameters. Several values are joined by commas, as in the API. */
export interface DetectionFilters extends TimeRange, Readonly<Partial<Record<ValueKey, string | undefined>>> {
  readonly q?: string | undefined;
}

/** Filter value for detections without a value. */
export const NO_VALUE = 'null';
const CAMPAIGN_PATTERN = /^det_[0-9a-f]{32}$/;

/** Validators of filter values. Filters that are not listed accept all values. */
const VALID: Readonly<Partial<Record<ValueFilter, (value: string) => boolean>>> = {
  severity: (value) => SEVERITIES.some((one) => one === value),
  status: (value) => DETECTION_STATUSES.some((one) => one === value),
  verdict: (value) => value === NO_VALUE || VERDICTS.some((one) => one === value),
  rule: (value) => RULE_ID_PATTERN.test(value),
  campaign: (value) => value === NO_VALUE || CAMPAIGN_PATTERN.test(value),
};

/** Reads the filters from search parameters. Ignores invalid values. */
export function readDetectionFilters(search: Readonly<Record<string, unknown>>): DetectionFilters {
  const values = VALUE_FILTERS.flatMap((name) => {
    const isValid = VALID[name] ?? (() => true);
    return [name, `exclude.${name}`].map((key) => [
      key,
      joinValues(splitValues(textParam(search[key])).filter(isValid)),
    ]);
  });
  return defined({
    ...(Object.fromEntries(values) as Partial<Record<ValueKey, string>>),
    q: textParam(search.q),
    range: choiceParam(search.range, RANGE_NAMES),
    from: timeParam(search.from),
    to: timeParam(search.to),
  });
}

/** Returns the API query parameters for these filters. */
export function detectionsQuery({ range, from, to, ...filters }: DetectionFilters, nowMs: number) {
  return { ...defined(filters), ...endsOf({ range, from, to }, nowMs) };
}

/** Returns true if both have the same values. */
export function sameFilters(a: DetectionFilters, b: DetectionFilters): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof DetectionFilters>;
  return [...names].every((name) => a[name] === b[name]);
}

/**
 * Returns true if a new detection can belong to the list, by its decisions and its time. Only the API can evaluate `q`
 * and campaigns.
 */
export function mayBelong(
  detection: Pick<Detection, 'status' | 'verdict' | 'assignee' | 'lastSeen'>,
  filters: DetectionFilters,
): boolean {
  const last = Date.parse(detection.lastSeen);
  const fits = (['status', 'verdict', 'assignee'] as const).every((name) => {
    const value = detection[name] ?? NO_VALUE;
    const wanted = filters[name];
    return (
      (wanted === undefined || splitValues(wanted).includes(value)) &&
      !splitValues(filters[`exclude.${name}`]).includes(value)
    );
  });
  return (
    fits &&
    (filters.from === undefined || last >= Date.parse(filters.from)) &&
    (filters.to === undefined || last < Date.parse(filters.to))
  );
}
