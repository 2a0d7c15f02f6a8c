import type { Severity } from '#schemas/detection-terms.ts';
import { PARTS_TEXT } from './text.ts';

/**
 * A severity in a list or a table: a bar in its colour, and the word. The page of one detection or case uses
 * `SeverityBadge`.
 */
export function SeverityText({ severity }: { readonly severity: Severity }) {
  return (
    <span className="tl-severity" data-severity={severity}>
      {PARTS_TEXT.severities[severity]}
    </span>
  );
}
