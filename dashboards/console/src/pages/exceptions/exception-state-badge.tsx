import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Exception, stateOfException } from './exception-state.ts';

const TONES = { holds: 'good', expired: 'warning', 'taken away': 'neutral' } as const;

export function ExceptionStateBadge({ of }: { readonly of: Pick<Exception, 'endedAt' | 'expires'> }) {
  const state = stateOfException(of);
  return <StatusBadge text={state} tone={TONES[state]} />;
}
