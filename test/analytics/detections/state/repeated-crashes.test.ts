import { expect, test } from 'vitest';
import { locateTrap } from '#analytics/detections/state/program-spaces.ts';
import { flatRepeats, keepRepeat, repeatsSince, setRepeats } from '#analytics/detections/state/repeated-crashes.ts';
import { newHost, newProgram } from './new-host.ts';

const program = () => newProgram(newHost(), 'gateway');
const at = (seconds: number) => ({ seconds, nanos: 0 });
const BASE = 0x40_0000;

test('counts crashes at a place from an instant on', () => {
  const one = program();
  for (const seconds of [10, 20, 30]) keepRepeat(one, { space: 1, offset: 8 }, at(seconds));
  keepRepeat(one, { space: 1, offset: 16 }, at(30));
  expect(repeatsSince(one, 1, 8, at(20))).toBe(2);
});

test('crashes at absolute addresses follow their places into a mapping that becomes known', () => {
  const one = program();
  keepRepeat(one, { space: 0, offset: BASE + 8 }, at(10));
  const { space, offset } = locateTrap(one, BASE + 16, { file: '/srv/gateway', vmastart: BASE, vmasize: 4096 });
  expect({ space, offset }).toEqual({ space: 1, offset: 16 });
  expect(repeatsSince(one, 1, 8, at(10))).toBe(1);
});

test('does not attribute crashes of a forgotten mapping to the one with its number', () => {
  const one = program();
  const mapping = (index: number) => ({ file: `/lib/${index}`, vmastart: BASE * (index + 1), vmasize: 4096 });
  for (let index = 0; index < 24; index += 1) locateTrap(one, BASE * (index + 1), mapping(index));
  keepRepeat(one, { space: 1, offset: 8 }, at(10));
  expect(locateTrap(one, BASE * 25 + 8, mapping(24)).space).toBe(1);
  expect(repeatsSince(one, 1, 8, at(10))).toBe(0);
});

test('keeps the latest eight in order', () => {
  const one = program();
  for (let seconds = 1; seconds <= 21; seconds += 1) keepRepeat(one, { space: 1, offset: 8 }, at(seconds));
  const times = flatRepeats(one).filter((_, field) => field % 4 === 2);
  expect(times).toEqual([14, 15, 16, 17, 18, 19, 20, 21]);
  const restored = program();
  setRepeats(restored, flatRepeats(one));
  keepRepeat(restored, { space: 1, offset: 8 }, at(22));
  expect(repeatsSince(restored, 1, 8, at(0))).toBe(8);
  expect(repeatsSince(restored, 1, 8, at(15))).toBe(8);
});
