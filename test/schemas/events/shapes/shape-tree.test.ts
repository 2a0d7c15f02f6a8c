import { expect, test } from 'vitest';
import { createMatching, matchShape } from '#schemas/events/shapes/match-shape.ts';
import type { Slot } from '#schemas/events/shapes/place.ts';
import type { Shape } from '#schemas/events/shapes/shape.ts';
import { addShape, emptyTree } from '#schemas/events/shapes/shape-tree.ts';
import { createRecentTexts } from '#schemas/json/recent-texts.ts';

/** Parses `what <name> stays <uint64>` into a shape. */
function shapeOf(pattern: string): Shape {
  const parts = pattern.split(/<(\w+)>/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    slots: parts.filter((_, index) => index % 2 === 1) as Slot[],
    root: { template: {}, names: [], slots: [], children: [] },
  };
}

function treeOf(...patterns: string[]) {
  const tree = emptyTree();
  const shapes = patterns.map(shapeOf);
  const added = shapes.map((shape) => addShape(tree, shape));
  const matching = createMatching(createRecentTexts());
  const find = (text: string) => {
    const shape = matchShape(tree, matching, Buffer.from(text));
    if (shape === undefined) return undefined;
    return [patterns[shapes.indexOf(shape)], ...matching.values.slice(0, shape.slots.length)];
  };
  return { added, find };
}

test('shapes with a common prefix are distinguished at the point where they differ', () => {
  const { added, find } = treeOf(
    '{"a":"<name>","b":1}',
    '{"a":"<name>","b":2}',
    '{"a":"<name>"}',
    '{"c":<uint64>}',
    '{"c":null}',
    '{',
  );
  expect(added).toEqual([true, true, true, true, true, true]);
  expect(find('{"a":"x","b":1}')).toEqual(['{"a":"<name>","b":1}', 'x']);
  expect(find('{"a":"y","b":2}')).toEqual(['{"a":"<name>","b":2}', 'y']);
  expect(find('{"a":""}')).toEqual(['{"a":"<name>"}', '']);
  expect(find('{"c":18446744073709551615}')).toEqual(['{"c":<uint64>}', 2n ** 64n - 1n]);
  expect(find('{"c":null}')).toEqual(['{"c":null}']);
  expect(find('{')).toEqual(['{']);
  for (const other of [
    '',
    '{"a',
    '{"a":"x","b":3}',
    '{"a":"x","b":1} ',
    '{"c":nul}',
    '{"c":}',
    '{"c":"1"}',
    '{"c":-1}',
  ]) {
    expect(find(other)).toBe(undefined);
  }
});

test('an existing shape is not added again', () => {
  expect(treeOf('{"a":<integer>}', '{"a":<integer>}').added).toEqual([true, false]);
});

test('if a position varies in one shape and not in another, the first shape counts', () => {
  expect(treeOf('{"a":"<name>"}', '{"a":"fixed"}').added).toEqual([true, false]);
  expect(treeOf('{"a":"fixed"}', '{"a":"<name>"}').added).toEqual([true, false]);
  expect(treeOf('{"a":"<name>"}', '{"a":"<time>"}').added).toEqual([true, false]);
  expect(treeOf('{"a":<uint64>}', '{"a":1}').added).toEqual([true, false]);
  expect(treeOf('{"a":1}', '{"a":<uint64>}').added).toEqual([true, false]);
  expect(treeOf('{"a":true}', '{"a":<uint64>}').added).toEqual([true, true]);
});

test('integers are read exactly, of whatever length', () => {
  const { find } = treeOf('[<uint64>]', '(<integer>)');
  for (const digits of ['0', '7', '42', '999', '1234', '12345', '12345678', '123456789012345', '999999999999999']) {
    expect(find(`[${digits}]`)?.[1]).toBe(Number(digits));
    expect(find(`(${digits})`)?.[1]).toBe(Number(digits));
  }
  for (const digits of ['9007199254740993', '1234567890123456789', '18446744073709551615']) {
    expect(find(`[${digits}]`)?.[1]).toBe(BigInt(digits));
    expect(find(`(${digits})`)).toBe(undefined);
  }
  for (const digits of [
    '00',
    '01',
    '0000',
    '00001234',
    '18446744073709551616',
    '1'.repeat(21),
    '12:4',
    '12/4',
    '1 23',
  ]) {
    expect(find(`[${digits}]`)).toBe(undefined);
  }
});

test('texts end at their quote, wherever it stands among four bytes, and hold nothing but plain ASCII', () => {
  const { find } = treeOf('["<text>"]');
  for (let length = 0; length < 20; length += 1) {
    const text = 'abcdefghijklmnopqrstuvwxyz'.slice(0, length);
    expect(find(`["${text}"]`)?.[1]).toBe(text);
    for (const strange of ['\\', '\n', '\u0000', '\u001f', '\u0080', 'é', '日']) {
      expect(find(`["${text}${strange}"]`)).toBe(undefined);
      expect(find(`["${strange}${text}"]`)).toBe(undefined);
    }
    expect(find(`["${text}`)).toBe(undefined);
  }
  expect(find('["!#[]~\u007f"]')?.[1]).toBe('!#[]~\u007f');
});
