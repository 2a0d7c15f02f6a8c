import type { Severity } from '#schemas/detection-terms.ts';

export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return (
    <span className="tl-badge" style={{ background: `var(--tl-${severity})`, color: `var(--tl-${severity}-text)` }}>
      {severity}
    </span>
  );
}
