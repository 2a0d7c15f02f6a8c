import { expect, test } from 'vitest';
import { kernelFault } from '#analytics/detections/rule-case.ts';
import { eventColumns } from '#analytics/formats/event-columns.ts';
import { eventMessage } from '#analytics/formats/event-message.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import type { EventType } from '#schemas/events/event.ts';
import { record } from './samples.ts';

const REPORT = 'Oops: general protection fault: 0000 [#1] SMP';
const FAULT = kernelFault({
  pid: 77,
  trap: { type: 'GeneralProtectionFault' },
  kernel_fault: { report: REPORT, symbol: 'foo+0x1/0x20' },
});
const written = (format: 'ecs' | 'ocsf' | 'cef') => FORMATS[format].event?.(record(FAULT as never)) ?? '';

test('the columns have a kind of trap of their own for faults of the kernel', () => {
  const kindOf = (event: EventType) => eventColumns(event).trap;
  expect(kindOf(FAULT)).toBe('kernel: GeneralProtectionFault');
  expect(kindOf(kernelFault())).toBe('kernel: Segfault');
  // The stack of a program shows that the error code only lacks the user bit.
  expect(kindOf(kernelFault({ sp: 0x7ffd_0a00_0000 }))).toBe('Segfault');
  expect(kindOf(kernelFault({ file: 'nginx' }))).toBe('Segfault');
});

test('the message names the process as context, the function and the report', () => {
  expect(eventMessage(FAULT, eventColumns(FAULT))).toBe(
    `kernel fault in the context of exploit[77]: General Protection Fault at foo+0x1/0x20: ${REPORT}`,
  );
});

test('ECS: an event of the host, not the end of a process', () => {
  expect(JSON.parse(written('ecs'))).toMatchObject({
    event: { action: 'kernel-fault', category: ['host'], type: ['info'], code: 'LinuxKernelTrap' },
    process: { name: 'exploit', pid: 77 },
    trapline: { errcode: { access_mode: 'Kernel' } },
  });
});

test('OCSF: no Process Activity', () => {
  expect(JSON.parse(written('ocsf'))).toMatchObject({
    class_uid: 0,
    unmapped: { procname: 'exploit', trap: 'kernel: GeneralProtectionFault' },
  });
});

test('CEF: the keys of the reference detector, with the mode', () => {
  expect(written('cef')).toContain('cs3=Kernel cs3Label=access_mode');
});
