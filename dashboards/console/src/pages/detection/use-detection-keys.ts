import { useShortcuts } from '../../parts/shortcuts.ts';
import { useUndoKey } from '../../parts/undo.tsx';
import { type ListWalk, useListWalk } from '../detections/use-list-walk.ts';
import { DETECTION_TEXT } from './text.ts';

const KEYS = DETECTION_TEXT.keys;

/** Actions of the keys on a detection page. */
export interface DetectionKeys {
  readonly acknowledge: () => void;
  readonly close: () => void;
  readonly assignToMe: () => void;
  readonly createException: () => void;
}

/** Binds the keys of a detection page. Returns the position in the list from which the analyst opened it. */
export function useDetectionKeys(id: string, actions: DetectionKeys): ListWalk {
  const walk = useListWalk(id);
  useUndoKey();
  useShortcuts([
    { keys: 'a', does: KEYS.acknowledge, run: actions.acknowledge },
    { keys: 'c', does: KEYS.close, run: actions.close },
    { keys: 'm', does: KEYS.assignToMe, run: actions.assignToMe },
    { keys: 'e', does: KEYS.createException, run: actions.createException },
    { keys: 'j', does: KEYS.next, run: walk.next },
    { keys: 'k', does: KEYS.previous, run: walk.previous },
    { keys: 'u', does: KEYS.back, run: walk.back },
  ]);
  return walk;
}
