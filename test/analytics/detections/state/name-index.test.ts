import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNameIndex } from '#analytics/detections/state/name-index.ts';
import type { Program } from '#analytics/detections/state/program.ts';
import { newHost, newProgram } from './new-host.ts';

test('finds programs by host and name while they are in the table', () => {
  const names = ['a', 'b', 'ab', 'ba', 'service-1', 'service-10', '', 'ü'.repeat(64)];
  const hosts = [newHost('edge-1'), newHost('edge-2'), newHost('edge-3')].map((host, i) => ({ ...host, born: i + 1 }));
  const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(199), fc.boolean()), { maxLength: 600 });
  fc.assert(
    fc.property(steps, (all) => {
      const index = createNameIndex<Program>((program) => program.host.born);
      const model = new Map<string, Program>();
      for (const [of, number, isAdded] of all) {
        const host = hosts[of] as (typeof hosts)[number];
        const name = names[number] ?? `p-${number}`;
        const key = `${of} ${name}`;
        const known = model.get(key);
        expect(index.find(host.born, name)).toBe(known);
        if (isAdded && known === undefined) {
          const program = newProgram(host, name);
          model.set(key, program);
          index.add(program);
        } else if (!isAdded && known !== undefined) {
          index.remove(known);
          model.delete(key);
        }
      }
      for (const [of, host] of hosts.entries())
        for (let number = 0; number < 200; number += 1) {
          const name = names[number] ?? `p-${number}`;
          expect(index.find(host.born, name)).toBe(model.get(`${of} ${name}`));
        }
    }),
    { numRuns: 30 },
  );
});
