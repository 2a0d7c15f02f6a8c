/** Colours of the dots by tone. The word next to the dot has the same meaning. */
const MARKS = {
  good: 'var(--tl-good-mark)',
  active: 'var(--tl-low-mark)',
  warning: 'var(--tl-medium-mark)',
  bad: 'var(--tl-critical-mark)',
} as const;

/** A state as a coloured dot and a word. A neutral state is a label without a dot. */
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
