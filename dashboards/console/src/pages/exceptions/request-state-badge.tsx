import { StatusBadge } from '../../parts/status-badge.tsx';
import { EXCEPTIONS_TEXT } from './text.ts';

const TONES = { open: 'warning', approved: 'good', rejected: 'bad', withdrawn: 'neutral' } as const;

export function RequestStateBadge({ state }: { readonly state: keyof typeof TONES }) {
  return <StatusBadge text={EXCEPTIONS_TEXT.requests.states[state]} tone={TONES[state]} />;
}
