import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** A key in the browser's naming (`j`, `Enter`, `?`), or a sequence of two keys (`g d`). */
  readonly keys: string;
  /** Description for the help. */
  readonly does: string;
  readonly run: () => void;
}

/** All active shortcuts, for the help. */
const current = new Map<symbol, readonly Shortcut[]>();
const PAIR_MS = 1_000;

export function currentShortcuts(): readonly Shortcut[] {
  return [...current.values()].flat();
}

/** Binds shortcuts while the component is mounted. Ignores keys in input fields and keys with a modifier. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const id = Symbol('shortcuts');
    let first = { key: '', at: 0 };
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'Enter' && isControl(event.target)) return;
      const pair = event.timeStamp - first.at < PAIR_MS ? `${first.key} ${event.key}` : '';
      first = { key: event.key, at: event.timeStamp };
      const found =
        latest.current.find(({ keys }) => keys === pair) ?? latest.current.find(({ keys }) => keys === event.key);
      if (found === undefined) return;
      event.preventDefault();
      found.run();
    }
    current.set(id, latest.current);
    addEventListener('keydown', onKey);
    return () => {
      current.delete(id);
      removeEventListener('keydown', onKey);
    };
  }, []);
}

/** Returns true for a button or link, which handles Enter itself. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a[href], summary') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A dialog or menu handles its own keys.
  return (
    target.isContentEditable ||
    ['TEXTAREA', 'SELECT'].includes(target.tagName) ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)) ||
    target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
  );
}
