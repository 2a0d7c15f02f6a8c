import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useKept } from '../../parts/list/kept-state.ts';
import type { SeenDecision } from '../detection/decide.ts';
import type { Detection } from '../detection/detection-types.ts';
import type { detectionsQuery } from './filters.ts';
import { type Selection, selectRows, toggleRow } from './selection.ts';

const NONE: Selection = { rows: [] };

/**
 * The selected rows, or all detections that match the filters. Kept with the page, with the decisions shown at the time
 * of selection.
 */
export function useSelection(asked: ReturnType<typeof detectionsQuery>, rows: readonly Detection[]) {
  const [selection, setSelection] = useKept('selected detections', () => NONE);
  const count = useQuery({
    queryKey: ['detections-count', asked],
    queryFn: ({ signal }) => call('get', '/api/detections/count', { query: asked, signal }),
    enabled: selection.rows.length > 0,
    staleTime: 30_000,
  });
  const ids = new Set(selection.rows.map(({ id }) => id));
  const { all } = selection;
  /** Returns the selected rows in their current state, because a row may have been updated since its selection. */
  const current = (): readonly SeenDecision[] => {
    const shown = new Map(rows.map((row) => [row.id, row]));
    return selection.rows.map((then) => shown.get(then.id) ?? then);
  };
  return {
    /** True if all matching detections are selected. */
    all,
    count: all?.detections ?? selection.rows.length,
    /** Number of matching detections. Undefined until they are counted. */
    matching: selection.rows.length > 0 ? count.data : undefined,
    has: (id: string) => all !== undefined || ids.has(id),
    current,
    toggle: (row: Detection) => setSelection(toggleRow(selection, rows, row)),
    /** Selects the loaded rows. If all are already selected, clears the selection. */
    toggleLoaded: () => setSelection(rows.every(({ id }) => ids.has(id)) ? NONE : selectRows(rows)),
    selectAll: (counted: { readonly detections: number; readonly asOf: string }) =>
      setSelection({ ...selection, all: counted }),
    /** Counts the matching detections, then selects all of them. */
    async selectMatching() {
      const counted = await call('get', '/api/detections/count', { query: asked });
      setSelection({ ...selectRows(rows), all: counted });
    },
    keepOnly: (kept: ReadonlySet<string>) => setSelection({ rows: selection.rows.filter(({ id }) => kept.has(id)) }),
    clear: () => setSelection(NONE),
  };
}
