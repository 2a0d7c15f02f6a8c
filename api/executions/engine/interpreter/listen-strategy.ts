import type { JsonValue } from '../../json-value.ts';
import type { EventFilter } from '../contract/cloud-event.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { get, getText, isList, isObject } from './json.ts';
import { evaluateValue } from './values.ts';

export type Mode = 'all' | 'any' | 'one';

/** Strategy of a listen task: the mode and the unevaluated filters. */
export interface Strategy {
  readonly mode: Mode;
  readonly filters: readonly JsonValue[];
}

/** Filter for `any` without filters: matches every event. */
const EVERYTHING: JsonValue = { with: {} };

/** Parses `to`: `one`, `any` or `all`. */
export function strategyOf(to: JsonValue | undefined, path: string): Strategy {
  const one = get(to, 'one');
  if (one !== undefined) return { mode: 'one', filters: [one] };
  const any = get(to, 'any');
  if (isList(any)) return { mode: 'any', filters: any.length === 0 ? [EVERYTHING] : any };
  const all = get(to, 'all');
  if (isList(all) && all.length > 0) return { mode: 'all', filters: all };
  throw fault('configuration', '`listen.to` names no events', path);
}

/** True if enough events are consumed. Each item of `got` has the index of its filter. */
export function isFulfilled({ mode, filters }: Strategy, got: readonly JsonValue[]): boolean {
  return mode === 'all'
    ? filters.every((_, index) => got.some((item) => get(item, 'filter') === index))
    : got.length > 0;
}

/** Evaluates the filters, except `data` and `from`, which are evaluated for each event. */
export async function readFilters(step: Step, { filters }: Strategy): Promise<readonly EventFilter[]> {
  const read: EventFilter[] = [];
  for (const filter of filters) read.push(await readFilter(step, filter));
  return read;
}

async function readFilter(step: Step, filter: JsonValue): Promise<EventFilter> {
  const given = get(filter, 'with');
  if (!isObject(given)) throw fault('configuration', 'a filter of events has no `with`', step.path);
  const { data, ...attributes } = given;
  const evaluated = await evaluateValue(step, attributes, step.frame.input);
  const correlate: Record<string, { from: string; expect?: JsonValue }> = {};
  for (const [name, correlation] of Object.entries(get(filter, 'correlate') ?? {})) {
    const from = getText(correlation, 'from');
    if (from === undefined) throw fault('configuration', `the correlation "${name}" has no \`from\``, step.path);
    const expect = get(correlation, 'expect');
    correlate[name] =
      expect === undefined ? { from } : { from, expect: await evaluateValue(step, expect, step.frame.input) };
  }
  return {
    with: { ...(isObject(evaluated) ? evaluated : {}), ...(data === undefined ? {} : { data }) },
    correlate,
  };
}
