import type { SeenDecision } from '../detection/decide.ts';

/** Selected rows, with the decisions shown at the time of selection. */
export interface Selection {
  readonly rows: readonly SeenDecision[];
  /** Set instead of rows if all detections that matched the filters at the time of counting are selected. */
  readonly all?: { readonly detections: number; readonly asOf: string } | undefined;
}

/** Maximum number of individually selected rows. */
export const MAX_SELECTED = 1_000;

/**
 * Adds the row to the selection, or removes it. If all matching detections were selected, removing one leaves the other
 * loaded rows selected.
 */
export function toggleRow(selection: Selection, loaded: readonly SeenDecision[], row: SeenDecision): Selection {
  const { rows } = selection.all === undefined ? selection : selectRows(loaded);
  const without = rows.filter(({ id }) => id !== row.id);
  if (without.length < rows.length) return { rows: without };
  return { rows: rows.length < MAX_SELECTED ? [...rows, seenOf(row)] : rows };
}

export function selectRows(rows: readonly SeenDecision[]): Selection {
  return { rows: rows.slice(0, MAX_SELECTED).map(seenOf) };
}

function seenOf({ id, status, verdict, assignee, note }: SeenDecision): SeenDecision {
  return { id, status, verdict, assignee, note };
}
