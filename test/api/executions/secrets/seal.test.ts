import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeal } from '#api/executions/secrets/seal.ts';

const NEW = 'the secret of the installation, new';
const OLD = 'the secret of the installation, old';

test('opens a sealed value only with the same secret and context', () => {
  const { seal, open } = createSeal([NEW]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = seal(text, context);
      expect(open(sealed, context)).toBe(text);
      expect(open(sealed, `${context}x`)).toBeUndefined();
      expect(createSeal([OLD]).open(sealed, context)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('a replaced secret still opens, and the new one seals', () => {
  const before = createSeal([OLD]).seal('value', 'c');
  const { seal, open } = createSeal([NEW, OLD]);
  expect(open(before, 'c')).toBe('value');
  expect(createSeal([NEW]).open(seal('value', 'c'), 'c')).toBe('value');
});

test('changed bytes do not open, and the same text is sealed differently each time', () => {
  const { seal, open } = createSeal([NEW]);
  const sealed = seal('a value', 'c');
  expect(seal('a value', 'c').equals(sealed)).toBe(false);
  expect(sealed.includes('a value')).toBe(false);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(open(changed, 'c')).toBeUndefined();
  }
  for (const short of [Buffer.alloc(0), sealed.subarray(0, 20), Buffer.alloc(33)])
    expect(open(short, 'c')).toBeUndefined();
});
