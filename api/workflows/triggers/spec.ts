import type { EventFilter } from '#api/executions/engine/contract/cloud-event.ts';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { durationMs } from '#api/executions/engine/interpreter/durations.ts';
import { get, getText, isList, isObject } from '#api/executions/engine/interpreter/json.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { cronOf } from './cron.ts';

/** Stored settings of a trigger. Times are UTC, durations in ms. */
export type TriggerSpec =
  | { readonly kind: 'schedule'; readonly everyMs: number }
  | { readonly kind: 'schedule'; readonly cron: string }
  | { readonly kind: 'after'; readonly afterMs: number }
  | { readonly kind: 'event'; readonly mode: 'one' | 'any' | 'all'; readonly filters: readonly EventFilter[] }
  | { readonly kind: 'webhook' };

/** Thrown for an invalid schedule. The message is for people. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/** Minimum interval of a schedule, in ms. */
const MIN_INTERVAL_MS = 1_000;

/** Returns the triggers of `schedule` in a definition, at most one per kind. Throws `ScheduleError`. */
export function triggersOfDefinition(definition: WorkflowDefinition): TriggerSpec[] {
  const { schedule } = definition;
  if (schedule === undefined) return [];
  const [every, cron, after, on] = ['every', 'cron', 'after', 'on'].map((name) => get(schedule, name));
  if (every !== undefined && cron !== undefined)
    throw new ScheduleError('`schedule` has either `every` or `cron`: write two workflows for two rhythms');
  return [
    ...(every === undefined ? [] : [{ kind: 'schedule', everyMs: lengthOf(every, 'every') } as const]),
    ...(cron === undefined ? [] : [{ kind: 'schedule', cron: patternOf(cron) } as const]),
    ...(after === undefined ? [] : [{ kind: 'after', afterMs: lengthOf(after, 'after') } as const]),
    ...(on === undefined ? [] : [eventSpec(on)]),
  ];
}

/** Returns the problem of `schedule` in a definition, or undefined if it is valid. */
export function scheduleProblem(definition: WorkflowDefinition): string | undefined {
  try {
    triggersOfDefinition(definition);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

/** Returns the event types that a trigger may match; `*` if a filter has no type or a pattern. */
export function eventTypesOf(spec: TriggerSpec): string[] {
  if (spec.kind !== 'event') return [];
  const types = spec.filters.map(({ with: { type } }) =>
    typeof type === 'string' && /^[\w.:/-]+$/.test(type) ? type : '*',
  );
  return [...new Set(types)];
}

function lengthOf(value: JsonValue, name: string): number {
  const ms = durationMs(value);
  if (ms === undefined) throw new ScheduleError(`\`schedule.${name}\` is no duration`);
  if (ms < MIN_INTERVAL_MS) throw new ScheduleError(`\`schedule.${name}\` is shorter than a second`);
  return ms;
}

function patternOf(value: JsonValue): string {
  if (typeof value !== 'string') throw new ScheduleError('`schedule.cron` must be a string');
  try {
    cronOf(value);
  } catch (error) {
    throw new ScheduleError(`\`schedule.cron\`: ${error instanceof Error ? error.message : String(error)}`);
  }
  return value;
}

function eventSpec(on: JsonValue): TriggerSpec {
  if (get(on, 'until') !== undefined)
    throw new ScheduleError(
      '`until` is for `listen`: gather events with `listen` in a workflow that `one` of them begins',
    );
  const one = get(on, 'one');
  if (one !== undefined) return { kind: 'event', mode: 'one', filters: [filterOf(one)] };
  for (const mode of ['any', 'all'] as const) {
    const filters = get(on, mode);
    if (isList(filters) && filters.length > 0) return { kind: 'event', mode, filters: filters.map(filterOf) };
  }
  throw new ScheduleError('`schedule.on` names no events');
}

/**
 * Converts a filter. Only `data` and `from` may be expressions, which are evaluated on the event: there is no run yet
 * for any other.
 */
function filterOf(filter: JsonValue): EventFilter {
  const given = get(filter, 'with');
  if (!isObject(given)) throw new ScheduleError('a filter of `schedule.on` has no `with`');
  const correlate: Record<string, { from: string; expect?: JsonValue }> = {};
  for (const [name, correlation] of Object.entries(get(filter, 'correlate') ?? {})) {
    const from = getText(correlation, 'from');
    if (from === undefined) throw new ScheduleError(`the correlation "${name}" of \`schedule.on\` has no \`from\``);
    const expect = get(correlation, 'expect');
    correlate[name] = expect === undefined ? { from } : { from, expect };
  }
  return { with: given, correlate };
}
