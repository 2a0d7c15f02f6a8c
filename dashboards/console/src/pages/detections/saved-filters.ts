import { type DetectionFilters, readDetectionFilters } from './filters.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.saved;

/** Named filters. */
export interface SavedFilters {
  readonly name: string;
  readonly filters: DetectionFilters;
}

/** The methods of `localStorage` that saved filters need. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/** Storage of this browser. A browser that blocks site data throws when `localStorage` is read. */
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

/** Key of the stored filters: one per user. */
const keyOf = (userId: string) => `trapline:detection-filters:${userId}`;

export function loadFilters(storage: KeptTexts, userId: string): SavedFilters[] {
  try {
    const saved: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(saved) ? saved.flatMap(readSaved) : [];
  } catch {
    // The stored value is not valid, or the browser blocks site data.
    return [];
  }
}

/** Replaces filters of the same name. */
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
