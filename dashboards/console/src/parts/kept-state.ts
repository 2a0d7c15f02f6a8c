import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const STORED = 'trapline:kept';
/** Characters. Browsers allow a few million for all that a tab stores. */
const MAX_STORED = 1_000_000;

/**
 * State of a page that is kept with its entry in the browser's history: going back restores the page as it was left, also after the console was loaded
 * again in the same tab. A new visit of the same page starts without it. Values are JSON.
 */
const kept = new Map<string, unknown>(readStored());
/** Entries of the history; older ones are forgotten. */
const MAX_KEPT = 200;

addEventListener('pagehide', () => {
  const text = JSON.stringify([...kept]);
  try {
    if (text.length <= MAX_STORED) sessionStorage.setItem(STORED, text);
  } catch {
    // The browser blocks site data: the next load starts without.
  }
});
// What one user saw must not be there for the next.
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

/** What is kept with the entry that is shown when it is called. */
export function useKeptState(): KeptState {
  const router = useRouter();
  return {
    get: (name) => kept.get(keyOf(router.state.location.state.__TSR_key, name)),
    set: (name, value) => keepFor(router.state.location.state.__TSR_key, name, value),
  };
}

/** Keeps a value with an entry of the history: of a page that will be gone back to. */
export function keepFor(entry: string | undefined, name: string, value: unknown): void {
  const key = keyOf(entry, name);
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** As `useState`, with a value that is there again when the page is opened again by going back. */
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
