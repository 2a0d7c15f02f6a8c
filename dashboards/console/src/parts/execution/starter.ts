import type { Answer } from '../../api/client.ts';
import { EXECUTION_TEXT } from './text.ts';

/** Who or what started an execution; null: unknown, as of executions of earlier versions. */
export type Starter = NonNullable<Answer<'get', '/api/v1/executions'>['data'][number]['startedBy']> | null;

/** What lists and pages of executions have of the start. */
export interface Started {
  readonly triggerType?: string | undefined;
  readonly startedBy?: Starter | undefined;
}

const { starter: TEXT, triggers: TRIGGERS } = EXECUTION_TEXT;
/** Starters that are callers of the API. Other executions are started by a trigger. */
const CALLERS: ReadonlySet<string> = new Set(['console', 'key', 'operator']);
/** A request without a trigger of its own. */
const PLAIN_REQUEST = 'api';

/** The trigger of an execution, as users read it. */
export function triggerText(type: string | undefined): string {
  return type === undefined ? '' : (TRIGGERS[type] ?? type);
}

/** The starter of an execution as a text: `ana (console)`, `schedule`. */
export function starterText(started: Started): string {
  const { name, notes } = starterParts(started);
  return `${name}${TEXT.notes(notes)}`;
}

/** The name of the starter, and how it started the execution. */
export function starterParts({ triggerType, startedBy }: Started): {
  readonly name: string;
  readonly notes: readonly string[];
} {
  if (startedBy == null || !CALLERS.has(startedBy.how))
    return { name: triggerText(startedBy?.how ?? triggerType), notes: [] };
  const { how, user, keyLabel } = startedBy;
  const trigger = triggerType === undefined || triggerType === PLAIN_REQUEST ? [] : [triggerText(triggerType)];
  if (how === 'operator') return { name: TEXT.operator, notes: trigger };
  const through = how === 'console' ? TEXT.console : keyLabel === null ? TEXT.anyKey : TEXT.key(keyLabel);
  return { name: user?.username ?? TEXT.deletedUser, notes: [through, ...trigger] };
}
