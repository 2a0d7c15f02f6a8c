import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createImageNames, entriesOf, putName } from '#analytics/detections/state/image-names.ts';

test('the 32 keys used last keep their latest name, and a table made of the entries goes on the same', () => {
  const puts = fc.array(fc.tuple(fc.nat(60), fc.constantFrom('a', 'b', 'c')), { maxLength: 200 });
  fc.assert(
    fc.property(puts, puts, (before, after) => {
      const images = createImageNames();
      const model = new Map<number, string>();
      const put = (tables: readonly ReturnType<typeof createImageNames>[], key: number, name: string) => {
        for (const table of tables) putName(table, key, name);
        model.delete(key);
        model.set(key, name);
        if (model.size > 32) model.delete(model.keys().next().value as number);
      };
      for (const [key, name] of before) put([images], key, name);
      const restored = createImageNames();
      for (const [key, name] of entriesOf(images)) putName(restored, key, name);
      for (const [key, name] of after) put([images, restored], key, name);
      expect(entriesOf(images)).toEqual([...model]);
      expect(entriesOf(restored)).toEqual([...model]);
    }),
  );
});
