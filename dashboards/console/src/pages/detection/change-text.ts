import { DETECTION_TEXT } from './text.ts';

type Decision = { readonly [Name in 'status' | 'verdict' | 'assignee' | 'note']?: string | null | undefined };

const TEXT = DETECTION_TEXT.history;
const NAMES = ['status', 'verdict', 'assignee', 'note'] as const;

/**
 * Returns a change as text: `status new → closed, assignee none → ada`. Omits values that `before` does not contain.
 */
export function changeText(before: Decision, after: Decision): string {
  return NAMES.flatMap((name) => {
    const to = after[name];
    if (to === undefined) return [];
    const from = before[name];
    return [`${TEXT.names[name]} ${from === undefined ? '' : `${shown(name, from)} `}→ ${shown(name, to)}`];
  }).join(', ');
}

function shown(name: string, value: string | null): string {
  return value === null ? TEXT.none : (TEXT.values[name]?.[value] ?? value);
}
