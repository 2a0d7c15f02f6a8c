import type { SeenDecision } from '../detection/decide.ts';

/** Selected rows, with the decisions that were shown when they were selected. */
export interface Selection {
  readonly rows: readonly SeenDecision[];
  /** Instead, all that the filters chose when they were counted. */
  readonly all?: { readonly detections: number; readonly asOf: string } | undefined;
}

/** Rows that can be selected one by one. */
export const MAX_SELECTED = 1_000;

/** The selection with the row, or without it. Without one row of all that match, the loaded ones are left. */
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
