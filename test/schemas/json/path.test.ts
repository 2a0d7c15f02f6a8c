import { expect, test } from 'vitest';
import { memberStep, pathOfMember, pathOfPointer, valueAtPointer } from '#schemas/json/path.ts';

const ROOT = { event: { 'a/b~c "d"': [{ x: 1 }, { x: 2 }], '0': { y: 3 } } };

test('a pointer becomes a path: members by name, elements by number', () => {
  expect(pathOfPointer(ROOT, '')).toBe('$');
  expect(pathOfPointer(ROOT, '/event/0/y')).toBe('$.event["0"].y');
  expect(pathOfPointer(ROOT, '/event/a~1b~0c "d"/1/x')).toBe('$.event["a/b~c \\"d\\""][1].x');
  expect(valueAtPointer(ROOT, '/event/a~1b~0c "d"/1/x')).toBe(2);
  expect(valueAtPointer(ROOT, '/event/constructor/name')).toBeUndefined();
});

test('an object is found by its own path', () => {
  expect(pathOfMember(ROOT, ROOT, 'event')).toBe('$.event');
  expect(pathOfMember(ROOT, ROOT.event['a/b~c "d"'][1] as object, 'x')).toBe('$.event["a/b~c \\"d\\""][1].x');
  expect(pathOfMember(ROOT, ROOT.event['a/b~c "d"'], 0)).toBe('$.event["a/b~c \\"d\\""][0]');
});

test('an overlong name is truncated', () => {
  expect(memberStep('k'.repeat(1_000_000)).length).toBeLessThan(120);
});
