import { type FilterTexts, filterFor } from '../filters/filter-values.ts';
import { type Narrowing, termOf } from './value-filters.ts';
import type { ValueSubject } from './value-subject.ts';

/** Filters that the list of events also supports. */
const EVENT_FILTERS = new Set(['hostname', 'procname', 'file', 'register', 'executable', 'unit', 'container', 'pod']);
/** Search fields of events whose values other records can have. */
const EVENT_FIELDS = new Set(['ip', 'sp', 'location', 'vmastart', 'build_id', 'uid']);
/** Time before and after a time within which events are related, ms. */
const NEARBY_MS = 60_000;

/** Returns the filters for events related to a value. Undefined if they would match all events. */
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

/** Returns the time range around a time. */
export function around(time: string): { readonly from: string; readonly to: string } {
  const at = Date.parse(time);
  return { from: new Date(at - NEARBY_MS).toISOString(), to: new Date(at + NEARBY_MS).toISOString() };
}
