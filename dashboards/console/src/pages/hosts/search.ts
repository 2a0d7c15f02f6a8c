import { parseFigures } from '#schemas/api/activity-figures.ts';
import type { ActivitySort } from '#schemas/api/activity-sort.ts';
import { defined } from '../../parts/defined.ts';
import { choiceParam, textParam } from '../../parts/search-params.ts';
import { RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time/time-range.ts';

/** Filters and order of the list of hosts. */
export interface HostsSearch extends TimeRange {
  /** Substring of the name. */
  readonly q?: string | undefined;
  /** Conditions on figures, such as `crashes>=10`. */
  readonly figures?: string | undefined;
  /** Default: by latest event. */
  readonly sort?: ActivitySort | undefined;
}

/** Time range of a host page, and filter of its list of programs. */
export interface ProgramsSearch extends TimeRange {
  /** Conditions on figures of programs. */
  readonly figures?: string | undefined;
}

/** Returns conditions on figures in search parameters. Undefined if they are malformed. */
export const figuresParam = (value: unknown): string | undefined => {
  const text = textParam(value);
  return text !== undefined && parseFigures(text) !== undefined ? text : undefined;
};

export const timeOf = (search: Record<string, unknown>): TimeRange =>
  defined({ range: choiceParam(search.range, RANGE_NAMES), from: timeParam(search.from), to: timeParam(search.to) });
