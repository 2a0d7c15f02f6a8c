import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { CodeCompletion } from './completion-list.tsx';

/** Completions, and the part of the text that a selected one replaces. */
interface CodeCompletions {
  readonly items: readonly CodeCompletion[];
  readonly from: number;
  readonly to: number;
}

/** Returns the completions at the cursor of a text. */
export type Complete = (text: string, cursor: number) => Promise<CodeCompletions>;

/**
 * Completions of a field. Ctrl+Space opens the list, arrow keys select, Enter inserts, and every other key closes it.
 */
export function useCompletions(
  field: RefObject<HTMLTextAreaElement | null>,
  complete: Complete | undefined,
  onChange: ((text: string) => void) | undefined,
) {
  const [offered, setOffered] = useState<CodeCompletions>();
  const [active, setActive] = useState(0);
  const close = () => setOffered(undefined);

  async function offer({ value, selectionStart }: HTMLTextAreaElement) {
    const found = await complete?.(value, selectionStart);
    setOffered(found !== undefined && found.items.length > 0 ? found : undefined);
    setActive(0);
  }

  function choose({ text }: CodeCompletion) {
    if (offered === undefined || field.current === null || onChange === undefined) return;
    field.current.setRangeText(text, offered.from, offered.to, 'end');
    field.current.focus();
    close();
    onChange(field.current.value);
  }

  /** Returns true if the open list handled the key. */
  function onListKey(key: string): boolean {
    if (offered === undefined) return false;
    const { items } = offered;
    const item = items[active];
    if (key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (key === 'ArrowUp') setActive((active + items.length - 1) % items.length);
    else if (key === 'Enter' && item !== undefined) choose(item);
    else {
      close();
      return key === 'Escape';
    }
    return true;
  }

  /** Returns true if the key was handled. */
  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    const opens = event.ctrlKey && event.key === ' ' && complete !== undefined;
    const used = onListKey(event.key) || opens;
    if (opens) void offer(event.currentTarget);
    if (used) {
      event.preventDefault();
      event.stopPropagation();
    }
    return used;
  }

  return { offered, active, choose, close, onKey };
}
