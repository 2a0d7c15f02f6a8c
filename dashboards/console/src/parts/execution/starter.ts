import type { Answer } from '../../api/client.ts';
import { PARTS_TEXT } from '../text.ts';
import { EXECUTION_TEXT } from './text.ts';

/** Starter of an execution. Null if unknown, for example for executions of earlier versions. */
export type Starter = NonNullable<Answer<'get', '/api/v1/executions'>['data'][number]['startedBy']> | null;

/** Fields about the start in lists and pages of executions. */
export interface Started {
  readonly triggerType?: string | undefined;
  readonly startedBy?: Starter | undefined;
}

const { starter: TEXT, triggers: TRIGGERS } = EXECUTION_TEXT;
/** Starters that are API callers. Other executions are started by a trigger. */
const CALLERS: ReadonlySet<string> = new Set(['console', 'key', 'operator']);
/** Trigger type of a plain API request. */
const PLAIN_REQUEST = 'api';

/** Returns the displayed text of a trigger. */
export function triggerText(type: string | undefined): string {
  return type === undefined ? '' : (TRIGGERS[type] ?? type);
}

/** Returns the starter of an execution as text: `ana (console)`, `schedule`. */
export function starterText(started: Started): string {
  const { name, notes } = starterParts(started);
  return `${name}${TEXT.notes(notes)}`;
}

/** Returns the name of the starter, and how it started the execution. */
export function starterParts({ triggerType, startedBy }: Started): {
  readonly name: string;
  readonly notes: readonly string[];
} {
  if (startedBy == null || !CALLERS.has(startedBy.how))
    return { name: triggerText(startedBy?.how ?? triggerType), notes: [] };
  const { how, user, keyLabel } = startedBy;
  const trigger = triggerType === undefined || triggerType === PLAIN_REQUEST ? [] : [triggerText(triggerType)];
  if (how === 'operator') return { name: PARTS_TEXT.operator, notes: trigger };
  const through = how === 'console' ? TEXT.console : keyLabel === null ? TEXT.anyKey : TEXT.key(keyLabel);
  return { name: user?.username ?? TEXT.deletedUser, notes: [through, ...trigger] };
}
