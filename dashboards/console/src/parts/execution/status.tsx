import { TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';
import { StatusBadge } from '../status-badge.tsx';
import { EXECUTION_TEXT } from './text.ts';

const TONES = {
  completed: 'good',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'warning',
  running: 'active',
  waiting: 'warning',
  timeout: 'warning',
} as const;
const ENDED: ReadonlySet<string> = new Set(TERMINAL_STATUSES);

/** The status of an execution or a step. */
export function ExecutionStatus({ status }: { readonly status: string }) {
  return (
    <StatusBadge
      text={EXECUTION_TEXT.statuses[status] ?? status}
      tone={TONES[status as keyof typeof TONES] ?? 'neutral'}
    />
  );
}

/** Returns true if the status is final. */
export function hasEnded(status: string): boolean {
  return ENDED.has(status);
}
