import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { judgeKernelFault } from '#analytics/detections/evidence/kernel-fault-kinds.ts';
import { at, kernelFault, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { KernelTrap } from '#schemas/events/event.ts';

type Fields = NonNullable<Parameters<typeof kernelFault>[0]>;

const detections = (events: readonly AcceptedEvent[]) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).map(({ rule, severity, procname }) => [
    rule.id,
    severity,
    procname,
  ]);
const severityOf = (fields: Fields) => judgeKernelFault(kernelFault(fields) as KernelTrap).severity;
const flags = (over: object) => ({ ...(kernelFault() as KernelTrap).errcode, ...over });
const words = (description: string) => ({ trap: { type: 'Generic', description } }) as const;

const USER = { type: 'Segfault', location: 0x1010_1000 } as const;
const KERNEL = { type: 'Segfault', location: 0xffff_8880_1234_0000n } as const;
const FETCH = flags({ instruction_fetch: true });
const DENIED_FETCH = flags({ instruction_fetch: true, reason: 'ProtectionFault' });
const DENIED = flags({ reason: 'ProtectionFault' });
const COPY = words(
  "usercopy: Kernel memory overwrite attempt detected to SLUB object 'kmalloc-64' (offset 0, size 128)!",
);
const THREAD = { kernel_fault: { context: 'kernel thread' } };

describe('the severity of one fault', () => {
  test.each<[name: string, fields: Fields, severity: string]>([
    ['execution of user memory', { trap: USER, errcode: DENIED_FETCH }, 'high'],
    ['the same by root, as in a container', { trap: USER, errcode: DENIED_FETCH, process: { uid: 0 } }, 'high'],
    [
      'the same with modules from elsewhere',
      { trap: USER, errcode: DENIED_FETCH, kernel_fault: { taint: 'POE' } },
      'high',
    ],
    ['the same in a thread of the kernel', { trap: USER, errcode: DENIED_FETCH, ...THREAD }, 'low'],
    ['execution of data', { trap: KERNEL, errcode: DENIED_FETCH, process: { uid: 1000 } }, 'high'],
    [
      'execution of data while root loads a module',
      { trap: KERNEL, errcode: DENIED_FETCH, process: { uid: 0 } },
      'medium',
    ],
    ['user memory outside of copy functions', { trap: USER, errcode: DENIED }, 'high'],
    ['the same in a driver from elsewhere', { trap: USER, errcode: DENIED, kernel_fault: { taint: 'O' } }, 'medium'],
    ['a wrong copy', COPY, 'high'],
    ['a wrong copy of ZFS', { ...COPY, kernel_fault: { taint: 'POE' } }, 'medium'],
    ['a wrong copy in an interrupt', { ...COPY, kernel_fault: { context: 'interrupt' } }, 'low'],
    [
      'a missing whitelist entry is a wrong declaration',
      words('Bad or missing usercopy whitelist? Kernel memory'),
      'low',
    ],
    [
      'a call of the wrong type by an unknown user',
      words('CFI failure at foo+0x1/0x2 (target: bar+0x0/0x2)'),
      'medium',
    ],
    ['the same by an ordinary user', { ...words('CFI failure at foo+0x1/0x2'), process: { uid: 1000 } }, 'high'],
    ['a jump to unmapped user space', { trap: USER, errcode: FETCH }, 'medium'],
    ['a call of a null pointer', { trap: { type: 'Segfault', location: 0 }, errcode: FETCH }, 'low'],
    ['a call into an unloaded module', { trap: KERNEL, errcode: FETCH }, 'low'],
    ['a use after release', words('BUG: KASAN: slab-use-after-free in foo+0x1/0x2'), 'medium'],
    ['a null pointer that KASAN explains', words('KASAN: null-ptr-deref in range [0x18-0x1f]'), 'low'],
    ['a reference count in a worker', { ...words('refcount_t: underflow; use-after-free.'), ...THREAD }, 'low'],
    ['a broken pointer', {}, 'low'],
    ['a read of user memory that is not mapped', { trap: USER }, 'low'],
    ['a failed assertion', words('kernel BUG at fs/ext4/inode.c:2726!'), 'low'],
    ['a broken pointer in a driver', THREAD, 'info'],
    ['a broken pointer in an interrupt', { kernel_fault: { context: 'interrupt' } }, 'info'],
    ['a broken pointer of the idle task, by another detector', { procname: 'swapper/3', pid: 0 }, 'info'],
    ['a broken pointer of a worker, by another detector', { procname: 'kworker/u8:2-events', pid: 77 }, 'info'],
    ['a program whose name begins like a thread', { procname: 'dmesg' }, 'low'],
    ['a field of another detector with the same name', { kernel_fault: 'x' as unknown as object }, 'low'],
  ])('%s', (_, fields, severity) => {
    expect(severityOf(fields)).toBe(severity);
  });
});

describe('the severity of several faults', () => {
  const place = (i: number, symbol: string, procname = 'exploit') =>
    kernelFault({
      procname,
      pid: 100 + i,
      trap: { type: 'Segfault', location: 0xffff_8880_0000_0000n + BigInt(i * 4096) },
      kernel_fault: { symbol },
    });

  test('one function with the same address again and again stays low', () => {
    const faults = times(20, (i) => at(i * 60, kernelFault({ pid: 100 + i, kernel_fault: { symbol: 'foo+0x1/0x2' } })));
    expect(detections(faults)).toEqual([['kernel-fault', 'low', 'exploit']]);
  });

  test('moving addresses are medium from three, and high from eight in several functions', () => {
    const moving = (count: number, functions: number) =>
      times(count, (i) => at(i * 60, place(i, `f${i % functions}+0x1/0x2`)));
    expect(detections(moving(2, 2))).toEqual([['kernel-fault', 'low', 'exploit']]);
    expect(detections(moving(3, 1))).toEqual([['kernel-fault', 'medium', 'exploit']]);
    expect(detections(moving(20, 1))).toEqual([['kernel-fault', 'medium', 'exploit']]);
    expect(detections(moving(7, 2))).toEqual([['kernel-fault', 'medium', 'exploit']]);
    expect(detections(moving(8, 2))).toEqual([['kernel-fault', 'high', 'exploit']]);
  });

  test('driver faults in threads and interrupts stay low, however many there are', () => {
    const faults = times(20, (i) =>
      at(i * 60, kernelFault({ pid: i, ip: 0xffff_ffff_8100_0000n + BigInt(i), ...THREAD })),
    );
    expect(detections(faults)).toEqual([['kernel-fault', 'low', null]]);
  });

  test('crashes of the program before the fault raise it, crashes after it and of others do not', () => {
    const fault = (t: number) => at(t, kernelFault({ procname: 'edge-gw' }));
    const crash = (t: number, procname = 'edge-gw') => at(t, trap(0x40_1100, { procname, file: procname }));
    expect(detections([crash(0), fault(60)])).toEqual([['kernel-fault', 'medium', 'edge-gw']]);
    expect(detections([fault(0), crash(60)])).toEqual([['kernel-fault', 'low', 'edge-gw']]);
    expect(detections([crash(0, 'other'), fault(60)])).toEqual([['kernel-fault', 'low', 'edge-gw']]);
    expect(detections([crash(0), fault(100_000)])).toEqual([['kernel-fault', 'low', 'edge-gw']]);
  });

  test('a fault that is delivered twice counts once', () => {
    const fault = at(0, kernelFault());
    const [found] = analyzeEvents([fault, fault], DEFAULT_DETECTION_SETTINGS);
    expect(found).toMatchObject({ evidenceCount: 1, crashes: 0 });
  });
});

test('faults of the kernel change nothing in what the rules find among the crashes of the program', () => {
  const scan = times(30, (i) => at(i, trap(0x40_1000 + i * 2, { pid: 4000 + i })));
  const faults = times(30, (i) =>
    at(i + 0.5, kernelFault({ procname: 'edge-gw', pid: 4000 + i, ip: 0x40_1000 + i * 2 })),
  );
  const found = (events: readonly AcceptedEvent[]) =>
    analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).filter(({ rule }) => rule.id === 'instruction-pointer-probe');
  const both = scan.flatMap((one, i) => [one, faults[i] as AcceptedEvent]);
  expect(found(scan)).toHaveLength(1);
  expect(found(both)).toEqual(found(scan));
  expect(found(faults)).toEqual([]);
});
