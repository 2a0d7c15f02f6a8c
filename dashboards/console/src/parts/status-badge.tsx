/** Tones of a state; the colours are those of severities, which are safe to read in both schemes. */
const TONES = { good: 'low', neutral: 'info', warning: 'medium', bad: 'high' } as const;

export function StatusBadge({ text, tone = 'neutral' }: { readonly text: string; readonly tone?: keyof typeof TONES }) {
  const name = TONES[tone];
  return (
    <span className="tl-badge" style={{ background: `var(--tl-${name})`, color: `var(--tl-${name}-text)` }}>
      {text}
    </span>
  );
}
