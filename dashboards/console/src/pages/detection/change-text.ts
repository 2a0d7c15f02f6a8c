type Decision = { readonly [Name in 'status' | 'verdict' | 'assignee' | 'note']?: string | null | undefined };

const NAMES = ['status', 'verdict', 'assignee', 'note'] as const;

/** A change in words: `status new → closed, assignee nobody → ada`. What it was before is left out where that is not known. */
export function changeText(before: Decision, after: Decision): string {
  return NAMES.flatMap((name) => {
    const to = after[name];
    if (to === undefined) return [];
    const from = before[name];
    return [`${name} ${from === undefined ? '' : `${shown(from)} `}→ ${shown(to)}`];
  }).join(', ');
}

function shown(value: string | null): string {
  return value === null ? 'none' : value.replace('_', ' ');
}
