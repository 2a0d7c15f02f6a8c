/** Marks of the tones of a state; the word next to the mark says the same. */
const MARKS = {
  good: 'var(--tl-good-mark)',
  active: 'var(--tl-low-mark)',
  warning: 'var(--tl-medium-mark)',
  bad: 'var(--tl-critical-mark)',
} as const;

/** A state: a dot in its tone and a word. What is neither good nor bad is a label without a dot. */
export function StatusBadge({
  text,
  tone = 'neutral',
}: {
  readonly text: string;
  readonly tone?: keyof typeof MARKS | 'neutral';
}) {
  if (tone === 'neutral') return <span className="tl-tag">{text}</span>;
  return (
    <span className="tl-status">
      <span className="tl-status-dot" style={{ background: MARKS[tone] }} aria-hidden />
      {text}
    </span>
  );
}
