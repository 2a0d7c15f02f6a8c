import { StatusBadge } from '../../parts/status-badge.tsx';
import { RULES_TEXT } from './text.ts';

export function RuleStateBadge({ enabled }: { readonly enabled: boolean }) {
  return (
    <StatusBadge text={enabled ? RULES_TEXT.states.on : RULES_TEXT.states.off} tone={enabled ? 'good' : 'warning'} />
  );
}
