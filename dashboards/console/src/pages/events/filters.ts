import { defined } from '../../parts/defined.ts';
import { joinValues, splitValues } from '../../parts/filters/filter-values.ts';
import { choiceParam, textParam } from '../../parts/search-params.ts';
import { endsOf, RANGE_NAMES, type RangeName, type TimeRange, timeParam } from '../../parts/time/time-range.ts';

export const EVENT_TYPES = [
  'LinuxKernelTrap',
  'LinuxFatalSignal',
  'LinuxSuppressedCallback',
  'RegisterProbe',
  'ConfigMismatch',
] as const;

/** Filters that accept several values and can exclude values. */
export const EVENT_VALUE_FILTERS = [
  'type',
  'hostname',
  'procname',
  'file',
  'register',
  'executable',
  'unit',
  'container',
  'pod',
] as const;
type ValueFilter = (typeof EVENT_VALUE_FILTERS)[number];
type ValueKey = ValueFilter | `exclude.${ValueFilter}`;
/** Filters and exclusions, by the names of their search parameters. */
export const EVENT_VALUE_KEYS = EVENT_VALUE_FILTERS.flatMap((name): ValueKey[] => [name, `exclude.${name}`]);

/** Filters of the list of events, as search parameters. Several values are joined by commas, as in the API. */
export interface EventFilters extends TimeRange, Readonly<Partial<Record<ValueKey, string | undefined>>> {
  readonly detection?: string | undefined;
  readonly q?: string | undefined;
}

/** Time range of the counts if none is selected. */
export const COUNTED_OTHERWISE: RangeName = '30d';

/** Reads the filters from search parameters. Ignores invalid values. */
export function readEventFilters(search: Readonly<Record<string, unknown>>): EventFilters {
  const values = EVENT_VALUE_KEYS.map((key) => {
    const isType = key === 'type' || key === 'exclude.type';
    const isValid = (value: string) => !isType || EVENT_TYPES.some((type) => type === value);
    return [key, joinValues(splitValues(textParam(search[key])).filter(isValid))];
  });
  return defined({
    ...(Object.fromEntries(values) as Partial<Record<ValueKey, string>>),
    detection: textParam(search.detection),
    q: textParam(search.q),
    range: choiceParam(search.range, RANGE_NAMES),
    from: timeParam(search.from),
    to: timeParam(search.to),
  });
}

/** Returns the API query parameters for these filters. */
export function eventsQuery({ range, from, to, ...filters }: EventFilters, nowMs: number) {
  return { ...defined(filters), ...endsOf({ range, from, to }, nowMs) };
}
