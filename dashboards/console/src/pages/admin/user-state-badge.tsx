import { StatusBadge } from '../../parts/status-badge.tsx';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.users.states;

interface UserState {
  readonly disabled: boolean;
  readonly endDate: string | null;
  readonly lockUntil: string | null;
}

export function UserStateBadge({ user }: { readonly user: UserState }) {
  const now = Date.now();
  if (user.disabled) return <StatusBadge text={TEXT.disabled} tone="bad" />;
  if (user.endDate !== null && Date.parse(user.endDate) <= now) return <StatusBadge text={TEXT.expired} tone="bad" />;
  if (user.lockUntil !== null && Date.parse(user.lockUntil) > now)
    return <StatusBadge text={TEXT.locked} tone="warning" />;
  return <StatusBadge text={TEXT.active} tone="good" />;
}
