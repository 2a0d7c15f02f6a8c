import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * State of a page that is kept with its entry in the browser's history, until the console is loaded again: going back restores the
 * page as it was left. A new visit of the same page starts without it.
 */
const kept = new Map<string, unknown>();
/** Entries of the history; older ones are forgotten. */
const MAX_KEPT = 200;

export interface KeptState {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** What is kept with the entry that is shown when it is called. */
export function useKeptState(): KeptState {
  const router = useRouter();
  return {
    get: (name) => kept.get(keyOf(router.state.location.state, name)),
    set(name, value) {
      const key = keyOf(router.state.location.state, name);
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
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

function keyOf(entry: { readonly __TSR_key?: string | undefined }, name: string): string {
  return `${entry.__TSR_key ?? ''} ${name}`;
}
