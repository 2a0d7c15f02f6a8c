import { TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';
import { StatusBadge } from '../status-badge.tsx';

const TONES = {
  completed: 'good',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'warning',
  waiting: 'warning',
  timeout: 'warning',
} as const;
const ENDED: ReadonlySet<string> = new Set(TERMINAL_STATUSES);

/** The state of an execution or of a step. */
export function ExecutionStatus({ status }: { readonly status: string }) {
  return <StatusBadge text={status} tone={TONES[status as keyof typeof TONES] ?? 'neutral'} />;
}

/** Nothing comes after it. */
export function hasEnded(status: string): boolean {
  return ENDED.has(status);
}
