import { StatusBadge } from '../../parts/status-badge.tsx';

export function RuleStateBadge({ enabled }: { readonly enabled: boolean }) {
  return <StatusBadge text={enabled ? 'on' : 'off'} tone={enabled ? 'good' : 'warning'} />;
}
