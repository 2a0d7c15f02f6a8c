import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const STORED = 'trapline:kept';
/** Maximum number of stored characters. Browsers allow a few million per tab. */
const MAX_STORED = 1_000_000;

/**
 * Page state stored with an entry of the browser history. Going back restores the page as it was, also after a reload
 * in the same tab. A new visit of the page starts without it. Values are JSON.
 */
const kept = new Map<string, unknown>(readStored());
/** Maximum number of history entries. Older ones are dropped. */
const MAX_KEPT = 200;

addEventListener('pagehide', () => {
  const text = JSON.stringify([...kept]);
  try {
    if (text.length <= MAX_STORED) sessionStorage.setItem(STORED, text);
  } catch {
    // The browser blocks site data. The next load starts without the state.
  }
});
// State of one user must not be visible to the next.
addEventListener('trapline:signed-out', () => kept.clear());

function readStored(): [string, unknown][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? (stored as [string, unknown][]) : [];
  } catch {
    return [];
  }
}

export interface KeptState {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** Returns the state stored with the history entry that is current at the time of the call. */
export function useKeptState(): KeptState {
  const router = useRouter();
  return {
    get: (name) => kept.get(keyOf(router.state.location.state.__TSR_key, name)),
    set: (name, value) => keepFor(router.state.location.state.__TSR_key, name, value),
  };
}

/** Stores a value with a history entry, for a page to which the user may go back. */
export function keepFor(entry: string | undefined, name: string, value: unknown): void {
  const key = keyOf(entry, name);
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Like `useState`, but going back to the page restores the value. */
export function useKept<Value>(name: string, initial: () => Value): [Value, (value: Value) => void] {
  const state = useKeptState();
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key });
  const [value, setValue] = useState(() => (state.get(name) as Value | undefined) ?? initial());
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is kept again for each entry of the history
  useEffect(() => state.set(name, value), [entry, name, value]);
  return [value, setValue];
}

function keyOf(entry: string | undefined, name: string): string {
  return `${entry ?? ''} ${name}`;
}
