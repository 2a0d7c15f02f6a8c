import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Exception, stateOfException } from './exception-state.ts';
import { EXCEPTIONS_TEXT } from './text.ts';

const TONES = { active: 'good', expired: 'warning', removed: 'neutral' } as const;

export function ExceptionStateBadge({ of }: { readonly of: Pick<Exception, 'endedAt' | 'expires'> }) {
  const state = stateOfException(of);
  return <StatusBadge text={EXCEPTIONS_TEXT.states[state]} tone={TONES[state]} />;
}
