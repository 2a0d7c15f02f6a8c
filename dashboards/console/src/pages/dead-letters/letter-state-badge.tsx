import { StatusBadge } from '../../parts/status-badge.tsx';
import { DEAD_LETTERS_TEXT } from './text.ts';

const TEXT = DEAD_LETTERS_TEXT.states;

/** `redriven`: time of the retry that was accepted; null while the record is rejected. */
export function LetterStateBadge({ redriven }: { readonly redriven: string | null }) {
  return redriven === null ? (
    <StatusBadge text={TEXT.rejected} tone="warning" />
  ) : (
    <StatusBadge text={TEXT.accepted} tone="good" />
  );
}
