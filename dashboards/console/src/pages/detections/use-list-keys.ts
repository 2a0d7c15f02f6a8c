import { useShortcuts } from '../../parts/shortcuts.ts';
import { useUndoKey } from '../../parts/undo.tsx';
import type { Detection } from '../detection/detection-types.ts';
import { DETECTIONS_TEXT } from './text.ts';

const KEYS = DETECTIONS_TEXT.keys;

/** Actions of the list's keys. They apply to the selection, or to the current row without a selection. */
export interface ListKeys {
  readonly open: (detection: Detection) => void;
  readonly acknowledge: () => void;
  readonly close: () => void;
  readonly assignToMe: () => void;
  readonly createException: (detection: Detection) => void;
  readonly toggle: (detection: Detection) => void;
  readonly selectMatching: () => void;
}

/** Binds the keys of the list. `active`: the current row. */
export function useListKeys(active: Detection | undefined, does: ListKeys): void {
  const onActive = (run: (detection: Detection) => void) => () => {
    if (active !== undefined) run(active);
  };
  useUndoKey();
  useShortcuts([
    { keys: 'j', does: KEYS.next, run: focusList },
    { keys: 'k', does: KEYS.previous, run: focusList },
    { keys: 'Enter', does: KEYS.open, run: onActive(does.open) },
    { keys: 'a', does: KEYS.acknowledge, run: does.acknowledge },
    { keys: 'c', does: KEYS.close, run: does.close },
    { keys: 'e', does: KEYS.createException, run: onActive(does.createException) },
    { keys: 'm', does: KEYS.assignToMe, run: does.assignToMe },
    { keys: 'x', does: KEYS.select, run: onActive(does.toggle) },
    { keys: 'X', does: KEYS.selectAll, run: does.selectMatching },
  ]);
}

function focusList(): void {
  document.querySelector<HTMLElement>('.tl-grid-body > [tabindex="0"]')?.focus();
}
