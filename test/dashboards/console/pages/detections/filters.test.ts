import { expect, onTestFinished, test, vi } from 'vitest';
import {
  detectionsQuery,
  mayBelong,
  readDetectionFilters,
  sameFilters,
} from '#dashboards/console/src/pages/detections/filters.ts';
import {
  BROWSER_TEXTS,
  type KeptTexts,
  loadFilters,
  removeFilters,
  saveFilters,
} from '#dashboards/console/src/pages/detections/saved-filters.ts';

const NOW = Date.parse('2026-03-02T12:00:30Z');

test('reads filters from an address and ignores unknown parameters', () => {
  const search = {
    status: 'new',
    severity: 'huge',
    verdict: 'benign,null,maybe',
    'exclude.severity': 'low,huge,info',
    'exclude.hostname': 'web-1,we\\,b',
    rule: 7,
    hostname: 42,
    q: '',
    range: '24h',
    from: 'never',
    other: 'x',
  };
  expect(readDetectionFilters(search)).toEqual({
    status: 'new',
    verdict: 'benign,null',
    'exclude.severity': 'low,info',
    'exclude.hostname': 'web-1,we\\,b',
    hostname: '42',
    range: '24h',
  });
  expect(readDetectionFilters({ from: '2026-03-01T01:00:00+01:00' })).toEqual({ from: '2026-03-01T00:00:00.000Z' });
});

test('a relative range ends now and begins on a whole minute', () => {
  expect(detectionsQuery({ status: 'new', range: '1h' }, NOW)).toEqual({
    status: 'new',
    from: '2026-03-02T11:00:00.000Z',
  });
  expect(detectionsQuery({ to: '2026-03-01T00:00:00.000Z' }, NOW)).toEqual({ to: '2026-03-01T00:00:00.000Z' });
});

test('filters are equal regardless of the order of selection', () => {
  expect(sameFilters({ q: 'a', status: 'new' }, { status: 'new', q: 'a' })).toBe(true);
  expect(sameFilters({ q: 'a' }, { q: 'a', range: '1h' })).toBe(false);
});

test('saved filters belong to an account, are replaced by name, and survive invalid stored data', () => {
  const storage = memory();
  saveFilters(storage, 'a', { name: 'Mine', filters: { status: 'new' } });
  saveFilters(storage, 'a', { name: 'Mine', filters: { status: 'closed' } });
  expect(loadFilters(storage, 'a')).toEqual([{ name: 'Mine', filters: { status: 'closed' } }]);
  expect(loadFilters(storage, 'b')).toEqual([]);
  expect(removeFilters(storage, 'a', 'Mine')).toEqual([]);
  storage.setItem('trapline:detection-filters:a', '[{"name":1},{"name":"x","filters":{"status":"bad"}}, null]');
  expect(loadFilters(storage, 'a')).toEqual([{ name: 'x', filters: {} }]);
  storage.setItem('trapline:detection-filters:a', 'no JSON');
  expect(loadFilters(storage, 'a')).toEqual([]);
});

test('without browser storage, there are no saved filters and saving fails', () => {
  const denied = () => {
    throw new DOMException('the storage is denied', 'SecurityError');
  };
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(denied);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(loadFilters(BROWSER_TEXTS, 'a')).toEqual([]);
  expect(() => saveFilters(BROWSER_TEXTS, 'a', { name: 'Mine', filters: {} })).toThrow('denied');
});

test('an incoming detection belongs to the list if its status and time match', () => {
  const one = {
    status: 'new',
    verdict: null,
    assignee: 'ana',
    lastSeen: '2026-03-01T00:00:00.000000000Z',
  } as const;
  expect(mayBelong(one, {})).toBe(true);
  expect(mayBelong(one, { status: 'new,closed', verdict: 'null', 'exclude.assignee': 'null,ben' })).toBe(true);
  expect(mayBelong(one, { 'exclude.assignee': 'ben,ana' })).toBe(false);
  expect(mayBelong(one, { verdict: 'benign' })).toBe(false);
  expect(mayBelong(one, { status: 'closed' })).toBe(false);
  expect(mayBelong(one, { from: '2026-03-02T00:00:00.000Z' })).toBe(false);
  expect(mayBelong(one, { to: '2026-03-01T00:00:00.000Z' })).toBe(false);
});

/** Storage in memory with the interface of the browser's storage. */
function memory(): KeptTexts {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}
