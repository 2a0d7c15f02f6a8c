import type { Answer } from '../../api/client.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.risk;

type Risk = Answer<'get', '/api/hosts'>['data'][number]['risk'];

const TONES = { Critical: 'bad', High: 'bad', Moderate: 'warning', Low: 'active', Unknown: 'good' } as const;

/** Risk on the scale of 0 to 100, with its level. */
export function RiskLevel({ risk: { normalised, level } }: { readonly risk: Risk }) {
  return <StatusBadge text={TEXT.of(normalised, TEXT.levels[level])} tone={TONES[level]} />;
}
