import { expect, test } from 'vitest';
import { createProgram } from '#analytics/detections/state/program-store.ts';
import { readMemories, ruleMemory, writeMemories } from '#analytics/detections/state/rule-memory.ts';
import { createStateReader } from '#analytics/detections/state/state-reader.ts';
import { createStateWriter } from '#analytics/detections/state/state-writer.ts';
import { newHost } from './new-host.ts';

function owners() {
  const host = newHost('web-1');
  return [host, createProgram(host, 'nginx', 'nginx', 2, 0)] as const;
}

test('the state of hosts and programs survives a snapshot', () => {
  const [host, program] = owners();
  ruleMemory(host, 'first-rule').push(1, -2.5, 2 ** 53);
  ruleMemory(program, 'first-rule').push(7);
  ruleMemory(program, 'second-rule').push(8, 9);
  const writer = createStateWriter();
  writeMemories(writer, [host, program]);

  const restored = owners();
  readMemories(createStateReader(writer.bytes()), restored);
  expect(restored[0].memory).toEqual(host.memory);
  expect(restored[1].memory).toEqual(program.memory);
});

test('does not write memory that no rule keeps', () => {
  const [host, program] = owners();
  ruleMemory(program, 'first-rule');
  const writer = createStateWriter();
  writeMemories(writer, [host, program]);
  const restored = owners();
  readMemories(createStateReader(writer.bytes()), restored);
  expect(restored.map(({ memory }) => memory)).toEqual([undefined, undefined]);
  // Snapshots of older versions end before this field.
  readMemories(createStateReader(Buffer.alloc(0)), owners());
});

test('memory without its owner is a damaged snapshot', () => {
  const [host] = owners();
  ruleMemory(host, 'first-rule').push(1);
  const writer = createStateWriter();
  writeMemories(writer, [host]);
  expect(() => readMemories(createStateReader(writer.bytes()), [])).toThrow(RangeError);
});

test('the lists of a memory are those under its names', () => {
  const [, program] = owners();
  ruleMemory(program, 'first-rule').push(1);
  ruleMemory(program, 'second-rule').push(2);
  const { memory } = program;
  expect(memory?.lists).toEqual([[1], [2]]);
  memory?.delete('first-rule');
  memory?.delete('first-rule');
  expect(memory?.lists).toEqual([[2]]);
  memory?.set('second-rule', [3]);
  expect([...(memory ?? [])]).toEqual([['second-rule', [3]]]);
  expect(memory?.has('first-rule')).toBe(false);
});
