import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** A key as the browser names it (`j`, `Enter`, `?`), or two pressed one after the other (`g d`). */
  readonly keys: string;
  /** For the help. */
  readonly does: string;
  readonly run: () => void;
}

/** All shortcuts of what is on screen, for the help. */
const current = new Map<symbol, readonly Shortcut[]>();
const PAIR_MS = 1_000;

export function currentShortcuts(): readonly Shortcut[] {
  return [...current.values()].flat();
}

/** Makes keys do something while the component is shown. Keys typed into a field, or with a modifier, are left alone. */
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

/** Enter on a button or a link is for it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a[href], summary') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // In a dialog or a menu keys belong to it.
  return (
    target.isContentEditable ||
    ['TEXTAREA', 'SELECT'].includes(target.tagName) ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)) ||
    target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
  );
}
