import { expect, test } from 'vitest';
import { version } from '#schemas/events/versions/v1.ts';
import { exactFieldsOf } from '#schemas/json/exact-fields.ts';

test('the 64-bit fields of V1 are found in its schema', () => {
  const root = exactFieldsOf(version.schema);
  const variants = root.members.get('event')?.variants;
  expect(variants?.property).toBe('type');
  const names = (type: string) => [...(variants?.byTag.get(type)?.members.keys() ?? [])].sort();
  expect(names('LinuxKernelTrap')).toEqual(['ip', 'pid', 'sp', 'trap', 'vmasize', 'vmastart']);
  expect(names('LinuxSuppressedCallback')).toEqual(['count']);
  expect(names('LinuxFatalSignal')).toEqual([]);
  const trap = variants?.byTag.get('LinuxKernelTrap')?.members.get('trap');
  expect(trap?.variants?.byTag.get('Segfault')?.members.get('location')?.uint64).toBe(true);
  const justification = variants?.byTag.get('RegisterProbe')?.members.get('justification');
  expect(justification?.members.get('EventCount')?.uint64).toBe(true);
  expect(justification?.members.get('FullEvents')?.items).toBe(root);
});

test('an unresolvable reference stops the start', () => {
  expect(() => exactFieldsOf({ properties: { a: { $ref: '#/$defs/x' } } })).toThrow(/#\/\$defs\/x/);
});
