/** Marks of the tones of a state; the word next to the mark says the same. */
const MARKS = {
  good: 'var(--tl-good-mark)',
  neutral: 'var(--tl-info-mark)',
  warning: 'var(--tl-medium-mark)',
  bad: 'var(--tl-critical-mark)',
} as const;

/** A state: a dot in its tone and a word. */
export function StatusBadge({ text, tone = 'neutral' }: { readonly text: string; readonly tone?: keyof typeof MARKS }) {
  return (
    <span className="tl-status">
      <span className="tl-status-dot" style={{ background: MARKS[tone] }} aria-hidden />
      {text}
    </span>
  );
}
