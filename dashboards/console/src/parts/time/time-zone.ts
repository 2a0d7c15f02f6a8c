import { useSyncExternalStore } from 'react';

/** The zone in which times are shown and typed: the browser's zone, or UTC, as in the logs of most servers. */
export const TIME_ZONES = ['local', 'utc'] as const;
export type TimeZone = (typeof TIME_ZONES)[number];

const KEY = 'trapline-time-zone';
const CHANGED = 'trapline:time-zone';

let chosen: TimeZone = 'local';

/** Returns the selected zone. Components use `useTimeZone` instead. */
export function timeZone(): TimeZone {
  return chosen;
}

/** Returns the zone for `Intl` and uPlot. Undefined for the browser's zone. */
export function zoneName(): 'UTC' | undefined {
  return chosen === 'utc' ? 'UTC' : undefined;
}

/** Selects the zone, and stores it if a storage is given. */
export function chooseTimeZone(zone: TimeZone, storage?: Pick<Storage, 'setItem'>): void {
  chosen = zone;
  storage?.setItem(KEY, zone);
  globalThis.dispatchEvent?.(new Event(CHANGED));
}

/** Selects the stored zone. */
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
