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

/** What the list of events is narrowed by, as it stands in the address. */
export interface EventFilters extends TimeRange {
  readonly type?: (typeof EVENT_TYPES)[number] | undefined;
  readonly hostname?: string | undefined;
  readonly procname?: string | undefined;
  readonly file?: string | undefined;
  readonly detection?: string | undefined;
  readonly q?: string | undefined;
}

/** What is counted when no time was chosen: events are many. */
export const COUNTED_OTHERWISE: RangeName = '30d';

/** Reads an address; what can't be is left out. */
export function readEventFilters(search: Readonly<Record<string, unknown>>): EventFilters {
  return defined({
    type: choiceParam(search.type, EVENT_TYPES),
    hostname: textParam(search.hostname),
    procname: textParam(search.procname),
    file: textParam(search.file),
    detection: textParam(search.detection),
    q: textParam(search.q),
    range: choiceParam(search.range, RANGE_NAMES),
    from: timeParam(search.from),
    to: timeParam(search.to),
  });
}

/** What the API is asked for. */
export function eventsQuery({ range, from, to, ...filters }: EventFilters, nowMs: number) {
  return { ...defined(filters), ...endsOf({ range, from, to }, nowMs) };
}
