import { expect, test } from 'vitest';
import { parseSearch } from '#analytics/search/parse-search.ts';
import { choicesOf, narrowed, termOf } from '#dashboards/console/src/parts/values/value-filters.ts';
import { relatedEvents } from '#dashboards/console/src/parts/values/value-related.ts';

const AT = '2026-11-26T12:00:00.250Z';

test.each([
  // A filter for an address or a count becomes a search condition. The API can parse each result.
  [undefined, 'ip', '0x401043', 'for', 'ip:0x401043'],
  ['procname:nginx', 'ip', '0x401043', 'for', 'procname:nginx ip:0x401043'],
  ['ip:0x401043 procname:nginx', 'ip', '0x9', 'for', 'procname:nginx ip:0x9'],
  ['not ip:0x9 procname:nginx', 'ip', '0x9', 'for', 'procname:nginx ip:0x9'],
  ['ip:0x9', 'ip', '0x9', 'out', 'not ip:0x9'],
  ['not ip:0x8', 'ip', '0x9', 'out', 'not ip:0x8 not ip:0x9'],
  ['a and b', 'ip', '0x9', 'out', 'a b not ip:0x9'],
  ['a or b', 'crashes', '330', 'atLeast', '(a or b) crashes>=330'],
  ['"stack smashing"', 'crashes', '330', 'atMost', '"stack smashing" crashes<=330'],
  ['crashes>=5 crashes<=9', 'crashes', '7', 'atLeast', 'crashes<=9 crashes>=7'],
  [undefined, 'parent', 'my "shell"', 'for', 'parent:"my \\"shell\\""'],
  [undefined, 'first', AT, 'from', `first>=${AT}`],
] as const)('narrows the search %j by %s %s (%s) to %j', (before, name, value, choice, search) => {
  expect(narrowed({ q: before }, 'number', name, value, choice)).toEqual({ q: search });
  expect(() => parseSearch(search)).not.toThrow();
});

test('a time narrows the time range of its list; the end is one millisecond later', () => {
  expect(narrowed({}, 'range', 'time', AT, 'from')).toEqual({ from: AT, range: undefined });
  expect(narrowed({}, 'range', 'time', AT, 'until')).toEqual({
    to: '2026-11-26T12:00:00.251Z',
    range: undefined,
  });
});

test('filters numbers by less or more, and lets the list of cases exclude values', () => {
  expect(choicesOf('number')).toEqual(['for', 'out', 'atLeast', 'atMost']);
  expect(narrowed({ severity: 'low' }, 'filter', 'severity', 'high', 'for')).toMatchObject({
    severity: 'high',
  });
  expect(narrowed({ severity: 'low' }, 'filter', 'severity', 'high', 'out')).toEqual({
    severity: 'low',
    'exclude.severity': 'high',
  });
  expect(narrowed({ severity: 'high' }, 'filter', 'severity', 'high', 'out').severity).toBeUndefined();
});

test('quotes a word that is a keyword of the search language', () => {
  expect(termOf('unit', 'null')).toBe('unit:"null"');
  expect(termOf('unit', 'web-*')).toBe('unit:"web-*"');
});

test('related events have the same host and program, or are within a minute of a time', () => {
  const subject = { hostname: 'web-1', procname: 'nginx', register: 'ip' };
  expect(relatedEvents('value', '0x401043', 'term', subject)).toMatchObject({
    q: 'ip:0x401043',
    hostname: 'web-1',
    procname: 'nginx',
  });
  expect(relatedEvents('first', AT, 'moment', { hostname: 'web-1' })).toMatchObject({
    hostname: 'web-1',
    from: '2026-11-26T11:59:00.250Z',
    to: '2026-11-26T12:01:00.250Z',
  });
  expect(relatedEvents('events', '7', 'filter', {})).toBeUndefined();
});

test('figures of hosts narrow a list by one condition per figure and sign; exclusions accumulate', () => {
  const narrow = (figures: string | undefined, value: number, choice: 'for' | 'out' | 'atLeast' | 'atMost') =>
    narrowed({ figures }, 'figure', 'crashes', String(value), choice).figures;
  expect(narrow(undefined, 10, 'atLeast')).toBe('crashes>=10');
  expect(narrow('crashes>=10,risk>=70', 20, 'atLeast')).toBe('risk>=70,crashes>=20');
  expect(narrow('crashes>=10', 40, 'atMost')).toBe('crashes>=10,crashes<=40');
  expect(narrow('crashes>=10,crashes!=12', 15, 'for')).toBe('crashes=15');
  expect(narrow('crashes>=10', 12, 'out')).toBe('crashes>=10,crashes!=12');
  expect(narrow('crashes!=12', 13, 'out')).toBe('crashes!=12,crashes!=13');
  expect(narrow('crashes=12', 12, 'out')).toBe('crashes!=12');
  expect(narrow('of a made-up address', 1, 'for')).toBe('crashes=1');
});

test('excluding one of a few values selects the others; a single-value filter offers no exclusion', () => {
  const among = ['running', 'failed', 'cancelled'];
  const without = (status: string | undefined) => narrowed({ status }, 'choice', 'status', 'failed', 'out', among);
  expect(narrowed({}, 'choice', 'status', 'failed', 'for', among)).toEqual({ status: 'failed' });
  expect(without(undefined)).toEqual({ status: 'running,cancelled' });
  expect(without('running,failed')).toEqual({ status: 'running' });
  expect(without('failed')).toEqual({ status: 'running,cancelled' });
  expect(choicesOf('only')).toEqual(['for']);
});
