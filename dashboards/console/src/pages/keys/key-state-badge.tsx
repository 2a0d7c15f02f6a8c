import { StatusBadge } from '../../parts/status-badge.tsx';
import type { ApiKey } from './api-key.ts';
import { stateOfKey } from './key-state.ts';
import { KEYS_TEXT } from './text.ts';

const TONES = { active: 'good', revoked: 'neutral', expired: 'warning' } as const;

export function KeyStateBadge({ of }: { readonly of: ApiKey }) {
  const state = stateOfKey(of);
  return <StatusBadge text={KEYS_TEXT.states[state]} tone={TONES[state]} />;
}
