import { StatusBadge } from '../../parts/status-badge.tsx';

export function LetterStateBadge({ redriven }: { readonly redriven: string | null }) {
  return redriven === null ? (
    <StatusBadge text="not put through" tone="warning" />
  ) : (
    <StatusBadge text="put through" tone="good" />
  );
}
