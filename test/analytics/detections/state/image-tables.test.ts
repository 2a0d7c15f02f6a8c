import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createImageTables,
  entriesOf,
  placeOf,
  putKey,
  releaseImages,
} from '#analytics/detections/state/image-tables.ts';
import type { Host } from '#analytics/detections/state/program.ts';
import { createHost } from '#analytics/detections/state/program-store.ts';
import { createRepeatRings } from '#analytics/detections/state/repeated-crashes.ts';

const PROGRAMS = { a: 2, b: 3, c: 4 } as const;
type Name = keyof typeof PROGRAMS;
const listOf = (host: Host) => (host.images === undefined ? [] : entriesOf(host.images));
const put = (host: Host, key: number, name: Name) =>
  putKey(host, placeOf(host.images, key), key, { name, born: PROGRAMS[name] });

test('the 32 most recent keys keep their latest name, and a restored table continues in the same way', () => {
  const puts = fc.array(fc.tuple(fc.nat(2), fc.nat(60), fc.constantFrom<Name>('a', 'b', 'c')), { maxLength: 300 });
  fc.assert(
    fc.property(puts, fc.nat(2), puts, (before, forgotten, after) => {
      const parts = { rings: createRepeatRings(), imageTables: createImageTables() };
      const hosts = [1, 2, 3].map((born) => createHost(`edge-${born}`, born, parts));
      const models = hosts.map(() => new Map<number, string>());
      const feed = ([of, key, name]: readonly [number, number, Name]) => {
        put(hosts[of] as Host, key, name);
        const model = models[of] as Map<number, string>;
        model.delete(key);
        model.set(key, name);
        if (model.size > 32) model.delete(model.keys().next().value as number);
      };
      before.forEach(feed);
      for (const [i, host] of hosts.entries()) expect(listOf(host)).toEqual([...(models[i] as Map<number, string>)]);
      const restored = hosts.map((host) => {
        const copy = createHost(host.name, host.born, parts);
        for (const [key, name] of listOf(host)) putKey(copy, placeOf(copy.images, key), key, { name, born: 0 });
        return copy;
      });
      // A new host reuses the places of an evicted one.
      releaseImages(hosts[forgotten] as Host);
      (models[forgotten] as Map<number, string>).clear();
      for (const [of, key, name] of after) {
        feed([of, key, name]);
        put(restored[of] as Host, key, name);
      }
      for (const [i, host] of hosts.entries()) {
        expect(listOf(host)).toEqual([...(models[i] as Map<number, string>)]);
        if (i !== forgotten) expect(listOf(restored[i] as Host)).toEqual(listOf(host));
      }
    }),
  );
});
