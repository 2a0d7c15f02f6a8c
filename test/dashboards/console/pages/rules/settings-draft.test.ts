import { expect, test } from 'vitest';
import {
  changesOf,
  draftOf,
  foreignChanges,
  mistakesOf,
  proposalOf,
  rebased,
} from '#dashboards/console/src/pages/rules/settings-draft.ts';

const threshold = (name: string, value: unknown, shipped = value) => ({
  name,
  value,
  default: shipped,
  description: '',
});
const rule = {
  enabled: true,
  thresholds: [threshold('window', 21_600), threshold('minDistinct', 4, 3), threshold('strict', false)],
};

test('the proposal contains only changes; an empty field restores the default', () => {
  const draft = draftOf(rule);
  expect(changesOf(rule, draft)).toEqual([]);
  expect(proposalOf(rule, draft)).toEqual({});
  const changed = { enabled: false, thresholds: { window: '60.5', minDistinct: '', strict: true } };
  expect(changesOf(rule, changed)).toEqual(['enabled', 'window', 'minDistinct', 'strict']);
  expect(proposalOf(rule, changed)).toEqual({
    enabled: false,
    thresholds: { window: 60.5, minDistinct: null, strict: true },
  });
});

test('rejects numeric settings that are not numbers', () => {
  const base = {
    enabled: true,
    thresholds: [...'abce']
      .map((name) => threshold(name, 1))
      .concat(threshold('d', true), threshold('f', 'sshd, sudo')),
  };
  const thresholds = { a: '12', b: 'a day', c: '', d: true, e: 'Infinity', f: 'sshd' };
  expect(mistakesOf(base, { enabled: true, thresholds })).toEqual(['b', 'e']);
});

test('sends a text setting as text', () => {
  const base = { enabled: true, thresholds: [threshold('programs', 'sshd, sudo')] };
  expect(proposalOf(base, { enabled: true, thresholds: { programs: ' sshd ' } })).toEqual({
    thresholds: { programs: 'sshd' },
  });
});

test('shows changes of another user next to own changes, and accepts them where there is no conflict', () => {
  const now = {
    enabled: false,
    thresholds: [threshold('window', 3_600, 21_600), threshold('minDistinct', 9, 3), threshold('strict', false)],
  };
  const mine = { ...draftOf(rule), thresholds: { ...draftOf(rule).thresholds, minDistinct: '7' } };
  expect(foreignChanges(rule, now, mine)).toEqual([
    { name: 'enabled', before: 'on', now: 'off', mine: undefined },
    { name: 'window', before: '21600', now: '3600', mine: undefined },
    { name: 'minDistinct', before: '4', now: '9', mine: '7' },
  ]);
  const next = rebased(rule, now, mine);
  expect(next).toEqual({ enabled: false, thresholds: { window: '3600', minDistinct: '7', strict: false } });
  expect(proposalOf(now, next)).toEqual({ thresholds: { minDistinct: 7 } });
});
