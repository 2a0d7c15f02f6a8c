import { durationText } from '../../parts/execution/duration.ts';
import { isRecord } from '../../parts/run-form/json.ts';
import { cronText } from './cron-text.ts';
import { filterConditions } from './filter-text.ts';
import type { Trigger } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.triggers;

/** Returns a trigger as a sentence: `When a detection is opened with severity high or critical`. */
export function triggerText({ kind, spec }: Pick<Trigger, 'kind' | 'spec'>): string {
  switch (kind) {
    case 'schedule':
      return typeof spec.cron === 'string' ? cronText(spec.cron) : TEXT.every(durationText(Number(spec.everyMs)));
    case 'after':
      return TEXT.after(durationText(Number(spec.afterMs)));
    case 'webhook':
      return TEXT.webhook;
    case 'event': {
      const filters = Array.isArray(spec.filters) ? spec.filters : [];
      return TEXT.event(filters.map(eventText), spec.mode === 'all');
    }
  }
}

function eventText(filter: unknown): string {
  const attributes = isRecord(filter) && isRecord(filter.with) ? filter.with : {};
  const { type, ...others } = attributes as { readonly [name: string]: unknown };
  const event = typeof type === 'string' ? (TEXT.eventTypes[type] ?? TEXT.eventType(type)) : TEXT.anyEvent;
  const conditions = Object.entries(others).flatMap(([name, value]) => {
    const read = name === 'data' && typeof value === 'string' ? filterConditions(value) : undefined;
    return read ?? [TEXT.attribute(name, valueText(value))];
  });
  return conditions.length === 0 ? event : TEXT.withAttributes(event, conditions);
}

/** Returns a filter value as text. Filters separate alternatives by `|`, which has another meaning in expressions. */
function valueText(value: unknown): string {
  if (typeof value === 'string' && value.startsWith('${')) return value;
  return typeof value === 'string' ? value.replaceAll('|', TEXT.or) : JSON.stringify(value);
}
