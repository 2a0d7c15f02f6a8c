import { type DetectionFilters, readDetectionFilters } from './filters.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.saved;

/** Named filters. */
export interface SavedFilters {
  readonly name: string;
  readonly filters: DetectionFilters;
}

/** The methods of `localStorage` that this file uses. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/** Storage of this browser. Reading `localStorage` throws in a browser that blocks site data. */
export const BROWSER_TEXTS: KeptTexts = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
};

/** Filters that every user has. */
export function builtInFilters(username: string): SavedFilters[] {
  return [
    { name: TEXT.newAndHigh, filters: { status: 'new', q: 'severity>=high exception:null' } },
    { name: TEXT.mine, filters: { q: `assignee:"${username}" not status:closed` } },
    { name: TEXT.silenced, filters: { q: 'not exception:null' } },
  ];
}

/** Storage key of the filters, one per user. */
const keyOf = (userId: string) => `trapline:detection-filters:${userId}`;

export function loadFilters(storage: KeptTexts, userId: string): SavedFilters[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(saved) ? saved.flatMap(readSaved) : [];
  } catch {
    // The stored value is invalid, or the browser blocks site data.
    return [];
  }
}

/** Saves filters. Replaces filters with the same name. */
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
