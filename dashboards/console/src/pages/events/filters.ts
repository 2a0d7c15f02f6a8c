import { defined } from '../../parts/defined.ts';
import { choiceParam, textParam } from '../../parts/search-params.ts';
import { endsOf, RANGE_NAMES, type RangeName, type TimeRange, timeParam } from '../../parts/time-range.ts';

export const EVENT_TYPES = [
  'LinuxKernelTrap',
  'LinuxFatalSignal',
  'LinuxSuppressedCallback',
  'RegisterProbe',
  'ConfigMismatch',
] as const;

/** Filters of the list of events, as the address holds them. */
export interface EventFilters extends TimeRange {
  readonly type?: (typeof EVENT_TYPES)[number] | undefined;
  readonly hostname?: string | undefined;
  readonly procname?: string | undefined;
  readonly file?: string | undefined;
  readonly executable?: string | undefined;
  readonly unit?: string | undefined;
  readonly container?: string | undefined;
  readonly pod?: string | undefined;
  readonly detection?: string | undefined;
  readonly q?: string | undefined;
}

/** Time range of the counts when none is chosen. */
export const COUNTED_OTHERWISE: RangeName = '30d';

/** Reads the filters of an address. Invalid values are ignored. */
export function readEventFilters(search: Readonly<Record<string, unknown>>): EventFilters {
  return defined({
    type: choiceParam(search.type, EVENT_TYPES),
    hostname: textParam(search.hostname),
    procname: textParam(search.procname),
    file: textParam(search.file),
    executable: textParam(search.executable),
    unit: textParam(search.unit),
    container: textParam(search.container),
    pod: textParam(search.pod),
    detection: textParam(search.detection),
    q: textParam(search.q),
    range: choiceParam(search.range, RANGE_NAMES),
    from: timeParam(search.from),
    to: timeParam(search.to),
  });
}

/** Query parameters of the API for these filters. */
export function eventsQuery({ range, from, to, ...filters }: EventFilters, nowMs: number) {
  return { ...defined(filters), ...endsOf({ range, from, to }, nowMs) };
}
