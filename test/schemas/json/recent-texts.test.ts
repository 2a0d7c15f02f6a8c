import { expect, test } from 'vitest';
import { createRecentTexts } from '#schemas/json/recent-texts.ts';

test('texts are returned unchanged, regardless of earlier texts and hash collisions', () => {
  const texts = createRecentTexts();
  const bytes = Buffer.from('edge-1edge-2edge-1');
  for (const hash of [0, 1, -1, 2 ** 31 - 1]) {
    expect(texts.get(bytes, 0, 6, hash)).toBe('edge-1');
    expect(texts.get(bytes, 6, 12, hash)).toBe('edge-2');
    expect(texts.get(bytes, 12, 18, hash)).toBe('edge-1');
    expect(texts.get(bytes, 0, 0, hash)).toBe('');
    expect(texts.get(bytes, 0, 4, hash)).toBe('edge');
  }
});

test('a text does not retain the memory that it was read from', () => {
  const texts = createRecentTexts();
  const bytes = Buffer.from('edge-1');
  const text = texts.get(bytes, 0, 6, 7);
  bytes.fill('x');
  expect(text).toBe('edge-1');
  expect(texts.get(Buffer.from('edge-1'), 0, 6, 7)).toBe('edge-1');
});

test('long texts are not kept', () => {
  const texts = createRecentTexts();
  const long = 'x'.repeat(1000);
  expect(texts.get(Buffer.from(long), 0, 1000, 7)).toBe(long);
});
