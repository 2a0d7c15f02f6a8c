import { type DetectionFilters, readDetectionFilters } from './filters.ts';

/** Filters under a name. */
export interface SavedFilters {
  readonly name: string;
  readonly filters: DetectionFilters;
}

/** What of a browser's `localStorage` is used. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/** This browser's; one that keeps nothing for a site refuses already to be asked for its storage. */
export const BROWSER_TEXTS: KeptTexts = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
};

/** Those everyone has. */
export function builtInFilters(username: string): SavedFilters[] {
  return [
    { name: 'New and high', filters: { status: 'new', q: 'severity>=high exception:null' } },
    { name: 'Mine', filters: { q: `assignee:"${username}" not status:closed` } },
    { name: 'Silenced', filters: { q: 'not exception:null' } },
  ];
}

/** Kept in this browser, for each account by itself. */
const keyOf = (userId: string) => `trapline:detection-filters:${userId}`;

export function loadFilters(storage: KeptTexts, userId: string): SavedFilters[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(saved) ? saved.flatMap(readSaved) : [];
  } catch {
    // Not what this console wrote, or a browser that keeps nothing.
    return [];
  }
}

/** A name that there is already is replaced. */
export function saveFilters(storage: KeptTexts, userId: string, one: SavedFilters): SavedFilters[] {
  return write(storage, userId, [...loadFilters(storage, userId).filter(({ name }) => name !== one.name), one]);
}

export function removeFilters(storage: KeptTexts, userId: string, removed: string): SavedFilters[] {
  return write(
    storage,
    userId,
    loadFilters(storage, userId).filter(({ name }) => name !== removed),
  );
}

function write(storage: KeptTexts, userId: string, all: SavedFilters[]): SavedFilters[] {
  storage.setItem(keyOf(userId), JSON.stringify(all));
  return all;
}

function readSaved(item: unknown): SavedFilters[] {
  if (typeof item !== 'object' || item === null || !('name' in item) || !('filters' in item)) return [];
  const { name, filters } = item;
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return [];
  return [{ name, filters: readDetectionFilters(filters as Record<string, unknown>) }];
}
