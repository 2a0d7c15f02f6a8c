import { expect, test } from 'vitest';
import { abort, at, hex, type RuleCase, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { isLibrary } from '#analytics/detections/state/library-name.ts';
import * as image from '#analytics/detections/state/program-image.ts';
import { programOfImage, rememberImage } from '#analytics/detections/state/program-image.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { KernelTrap } from '#schemas/events/event.ts';
import { newHost, newProgram } from './new-host.ts';

const LIBRARY = { file: 'libc.so.6', vmastart: 0x7fd7_0000_0000, vmasize: 0x15_6000 };
const trapImage = (event: KernelTrap) => image.trapImage(event, isLibrary(event.file ?? ''), image.createImageKeys());
const dumpImage = (registers: Record<string, string>, library?: typeof LIBRARY) =>
  image.dumpImage(registers, library, image.createImageKeys());
const trapped = (fields: Parameters<typeof trap>[1]) => trap(0x7fd7_0000_1000, fields) as KernelTrap;

test('the library of an image identifies it, with any stack', () => {
  const host = newHost();
  rememberImage(host, trapImage(trapped({ ...LIBRARY, sp: 0x7ffc_0000_0000 })), newProgram(host, 'mailgw'));
  expect(programOfImage(host, trapImage(trapped({ ...LIBRARY, sp: 0x7fff_0000_0000 - 2 ** 30 })))).toBe('mailgw');
  expect(
    programOfImage(host, trapImage(trapped({ ...LIBRARY, vmastart: 0x7fd8_0000_0000, sp: 0x7ffd_0000_0000 }))),
  ).toBeUndefined();
});

test('other libraries at one address are other images, and a replaced file is the same one', () => {
  const host = newHost();
  const sp = 0x7ffc_0000_0000;
  rememberImage(host, trapImage(trapped({ ...LIBRARY, sp })), newProgram(host, 'mailgw'));
  const elsewhere = { ...LIBRARY, sp: 0x7ffd_0000_0000 };
  expect(programOfImage(host, trapImage(trapped({ ...elsewhere, file: 'libm.so.6' })))).toBeUndefined();
  expect(programOfImage(host, trapImage(trapped({ ...elsewhere, file: 'libc.so.6 (deleted)' })))).toBe('mailgw');
});

test('a stack pointer that moved by a few pages belongs to the same image', () => {
  const host = newHost();
  const sp = 0x7ffc_1234_5678;
  rememberImage(host, trapImage(trapped({ file: null, vmastart: null, sp })), newProgram(host, 'mailgw'));
  expect(programOfImage(host, trapImage(trapped({ file: null, vmastart: null, sp: sp - 9000 })))).toBe('mailgw');
  expect(
    programOfImage(host, trapImage(trapped({ file: null, vmastart: null, sp: sp - 10 * 2 ** 20 }))),
  ).toBeUndefined();
});

test('identifies a dump by its thread pointer', () => {
  const host = newHost();
  rememberImage(
    host,
    dumpImage({ FS: hex(0x7f6e_094b_0740), RSP: `002b:${hex(0x7ffc_0000_0000)}` }),
    newProgram(host, 'imap-front'),
  );
  expect(programOfImage(host, dumpImage({ FS: hex(0x7f6e_094b_0740) }))).toBe('imap-front');
  expect(programOfImage(host, dumpImage({ FS: hex(0x7f6e_094b_1740) }))).toBeUndefined();
});

test('identifies a signal that only the trace reports by its library', () => {
  const host = newHost();
  const { vmastart } = LIBRARY;
  rememberImage(host, dumpImage({ Comm: 'w1' }, LIBRARY), newProgram(host, 'imap-front'));
  expect(programOfImage(host, dumpImage({ Comm: 'w2' }, LIBRARY))).toBe('imap-front');
  expect(programOfImage(host, trapImage(trapped({ ...LIBRARY, sp: 0x7ffc_0000_0000 })))).toBe('imap-front');
  expect(programOfImage(host, dumpImage({}, { ...LIBRARY, vmastart: vmastart + 4096 }))).toBeUndefined();
  expect(programOfImage(host, dumpImage({}, { ...LIBRARY, file: 'imap-front' }))).toBeUndefined();
});

test('does not identify images by addresses that every program has: without randomisation on 32 bits, none at all', () => {
  expect(trapImage(trapped({ ...LIBRARY, vmastart: 0x7fff_f7d8_0000, sp: 0x7fff_ffff_e000 }))).toMatchObject({
    count: 0,
  });
  expect(trapImage(trapped({ ...LIBRARY, vmastart: 0xf7d8_0000, sp: 0xfff2_5e70 }))).toMatchObject({ count: 0 });
  expect(dumpImage({ FS: hex(0), RSP: `002b:${hex(0xfff2_5e70)}` })).toMatchObject({ count: 0 });
  expect(dumpImage({})).toMatchObject({ count: 0 });
});

test('a host remembers a bounded number of images, the latest ones', () => {
  const host = newHost();
  for (let i = 0; i < 1000; i += 1)
    rememberImage(host, dumpImage({ FS: hex(0x7f00_0000_0000 + i * 4096) }), newProgram(host, `p-${i}`));
  expect(host.images?.count).toBe(32);
  expect(programOfImage(host, dumpImage({ FS: hex(0x7f00_0000_0000 + 999 * 4096) }))).toBe('p-999');
});

test('children under other names are one program, also after a snapshot', () => {
  const image = hex(0x7f6e_094b_0740);
  const events: RuleCase['events'] = times(20, (i) => at(i, abort(100 + i, image, `k-${i}`)));
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  for (const event of events) tracker.feed(event);
  expect(tracker.stats().programs).toBe(1);
  const restored = createTracker(DEFAULT_DETECTION_SETTINGS);
  restored.restore(tracker.snapshot());
  restored.feed(at(30, abort(200, image, 'another')));
  expect(restored.stats().programs).toBe(1);
});
