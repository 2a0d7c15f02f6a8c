import { StatusBadge } from '../../parts/status-badge.tsx';

interface UserState {
  readonly disabled: boolean;
  readonly endDate: string | null;
  readonly lockUntil: string | null;
}

export function UserStateBadge({ user }: { readonly user: UserState }) {
  const now = Date.now();
  if (user.disabled) return <StatusBadge text="disabled" tone="bad" />;
  if (user.endDate !== null && Date.parse(user.endDate) <= now) return <StatusBadge text="ended" tone="bad" />;
  if (user.lockUntil !== null && Date.parse(user.lockUntil) > now) return <StatusBadge text="locked" tone="warning" />;
  return <StatusBadge text="working" tone="good" />;
}
