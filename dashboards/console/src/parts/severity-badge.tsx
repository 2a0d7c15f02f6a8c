import type { Severity } from '#schemas/detection-terms.ts';
import { PARTS_TEXT } from './text.ts';

/** A severity as a filled label, for the page of one detection or case. Lists use `SeverityText`. */
export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return (
    <span className="tl-badge" style={{ background: `var(--tl-${severity})`, color: `var(--tl-${severity}-text)` }}>
      {PARTS_TEXT.severities[severity]}
    </span>
  );
}
