import type { ActivitySort } from '#schemas/api/activity-sort.ts';
import { defined } from '../../parts/defined.ts';
import { choiceParam } from '../../parts/search-params.ts';
import { RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time-range.ts';

/** Filters and order of the list of hosts. */
export interface HostsSearch extends TimeRange {
  /** Text anywhere in the name. */
  readonly q?: string | undefined;
  /** Default: by latest event. */
  readonly sort?: ActivitySort | undefined;
}

export const timeOf = (search: Record<string, unknown>): TimeRange =>
  defined({ range: choiceParam(search.range, RANGE_NAMES), from: timeParam(search.from), to: timeParam(search.to) });
