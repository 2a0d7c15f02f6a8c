import { type FilterTexts, filterFor } from './filter-values.ts';
import { type Narrowing, termOf } from './value-filters.ts';
import type { ValueSubject } from './value-subject.ts';

/** Filters that the list of events has as well. */
const EVENT_FILTERS = new Set(['hostname', 'procname', 'file', 'register', 'executable', 'unit', 'container', 'pod']);
/** Fields of the search of events that another record can have a value of. */
const EVENT_FIELDS = new Set(['ip', 'sp', 'location', 'vmastart', 'build_id', 'uid']);
/** Events so long before and after a time are related to it, ms. */
const NEARBY_MS = 60_000;

/** The filters of the list of events that leave those related to a value; undefined where they would leave all. */
export function relatedEvents(
  name: string,
  value: string,
  by: Narrowing,
  { hostname, procname, from, to, register }: ValueSubject,
): FilterTexts | undefined {
  const field = name === 'value' ? register : name;
  const isTime = by === 'moment' || by === 'range';
  const related = {
    ...(by === 'filter' && EVENT_FILTERS.has(name) ? filterFor(name, value) : {}),
    ...(field && EVENT_FIELDS.has(field) ? { q: termOf(field, value) } : {}),
    ...(hostname ? filterFor('hostname', hostname) : {}),
    ...(name !== 'hostname' && procname ? filterFor('procname', procname) : {}),
    ...(isTime ? around(value) : { from, to }),
  };
  return Object.values(related).some((one) => one !== undefined) ? related : undefined;
}

/** The times shortly before and after a time. */
export function around(time: string): { readonly from: string; readonly to: string } {
  const at = Date.parse(time);
  return { from: new Date(at - NEARBY_MS).toISOString(), to: new Date(at + NEARBY_MS).toISOString() };
}
