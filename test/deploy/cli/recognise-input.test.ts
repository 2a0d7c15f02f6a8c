import { expect, it } from 'vitest';
import { recogniseInput } from '#deploy/cli/recognise-input.ts';

it.each([
  ['6,1,2,-;text', 'kmsg'],
  ['[    1.5] x[1]: segfault at 0', 'kmsg'],
  ['kern  :info  : [ 1.5] x', 'kmsg'],
  ['Jan  1 00:00:00 host kernel: x', 'kmsg'],
  ['{"MESSAGE":"x","__REALTIME_TIMESTAMP":"1"}', 'kmsg'],
  ['{"__MONOTONIC_TIMESTAMP":"1"}', 'kmsg'],
  ['{"version":"V1"}', 'v1'],
  ['\ufeff {"timestamp":"x"}', 'v1'],
  ['{"version":', 'v1'],
  ['{}', 'v1'],
  ['{"version":"V1","message":"x"}', 'v1'],
  ['{"event":{}}', 'v1'],
  ['{"log":"x","stream":"stdout"}', 'kmsg'],
  ['{"version":"1.1","host":"a","short_message":"x"}', 'kmsg'],
  ['{', 'kmsg'],
  ['{"events": [', 'kmsg'],
] as const)('recognizes %j as %s', (line, kind) => {
  expect(recogniseInput(line)).toBe(kind);
});
