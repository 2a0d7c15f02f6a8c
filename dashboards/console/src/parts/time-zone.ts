import { useSyncExternalStore } from 'react';

/** The zone in which times are shown and typed: that of the browser, or UTC, as in logs of most servers. */
export const TIME_ZONES = ['local', 'utc'] as const;
export type TimeZone = (typeof TIME_ZONES)[number];

const KEY = 'trapline-time-zone';
const CHANGED = 'trapline:time-zone';

let chosen: TimeZone = 'local';

/** The chosen zone. Parts that are drawn read it with `useTimeZone`. */
export function timeZone(): TimeZone {
  return chosen;
}

/** For `Intl` and uPlot; undefined: that of the browser. */
export function zoneName(): 'UTC' | undefined {
  return chosen === 'utc' ? 'UTC' : undefined;
}

/** Chooses the zone, and keeps it in the browser if a storage is given. */
export function chooseTimeZone(zone: TimeZone, storage?: Pick<Storage, 'setItem'>): void {
  chosen = zone;
  storage?.setItem(KEY, zone);
  globalThis.dispatchEvent?.(new Event(CHANGED));
}

/** Chooses the zone that was kept. */
export function restoreTimeZone(storage: Pick<Storage, 'getItem'>): void {
  if (storage.getItem(KEY) === 'utc') chooseTimeZone('utc');
}

export function useTimeZone(): TimeZone {
  return useSyncExternalStore(subscribe, timeZone);
}

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange);
  return () => removeEventListener(CHANGED, onChange);
}
