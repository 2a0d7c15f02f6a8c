import { defined } from '../../parts/defined.ts';
import { choiceParam } from '../../parts/search-params.ts';
import { RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time-range.ts';

/** Filters of the list of hosts. */
export interface HostsSearch extends TimeRange {
  /** Text anywhere in the name. */
  readonly q?: string | undefined;
}

export const timeOf = (search: Record<string, unknown>): TimeRange =>
  defined({ range: choiceParam(search.range, RANGE_NAMES), from: timeParam(search.from), to: timeParam(search.to) });
