import { expect, test } from 'vitest';
import { createContentDecoder } from '#api/http/bodies/content-decoder.ts';

test('only the names of content codings have a decoder, not those of inherited properties', () => {
  expect(createContentDecoder('gzip')).toBeDefined();
  for (const name of ['compress', 'constructor', 'toString', '__proto__'])
    expect(createContentDecoder(name)).toBeUndefined();
});
