import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, dump, hex, jump, random, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const UNMAPPED = {
  file: null,
  vmastart: null,
  vmasize: null,
  trap: { type: 'Segfault', location: 0x5f3a_1000 },
} as const;
/** An access to a field of a null pointer. */
const NULL_FIELD = { type: 'Segfault', location: 12 } as const;
const ARM_STACK = 0xbeff_2d10;
/** Stack of one of 2,048 layouts of 32-bit ARM. */
const armStack = (i: number) => 0xbeff_e000 - Math.floor(random(i + 77) * 2_048) * 4_096;
/** Any place of a text, 4 bytes apart as instructions are. */
const anyPlace = (i: number, text: number) => Math.floor(random(i) * (text / 4)) * 4;
const rulesOf = (events: Iterable<AcceptedEvent>) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).map(({ rule, severity }) => `${rule.id} ${severity}`);

describe('a scan of a program whose file the kernel does not name', () => {
  test('children of one parent, at places all over the text', () => {
    const scan = times(60, (i) =>
      at(i, trap(0x41_0000 + anyPlace(i, 0x4_0000), { ...UNMAPPED, sp: ARM_STACK, pid: 100 + i })),
    );
    expect(rulesOf(scan.slice(0, 11))).toEqual([]);
    expect(rulesOf(scan.slice(0, 16))).toEqual(['instruction-pointer-probe medium']);
    expect(rulesOf(scan)).toEqual(['instruction-pointer-probe high']);
  });

  test('steps of 1,024 bytes, which repeat their offset in the page', () => {
    const scan = times(40, (i) => at(i, trap(0x41_0000 + 1_024 * i, { ...UNMAPPED, sp: ARM_STACK, pid: 100 + i })));
    expect(rulesOf(scan)).toEqual(['instruction-pointer-probe high']);
  });

  test('executed again for each try: medium severity', () => {
    const scan = times(60, (i) =>
      at(i, trap(0x1_0000 + anyPlace(i, 0x2_0000), { ...UNMAPPED, sp: armStack(i), pid: 100 + i })),
    );
    expect(rulesOf(scan)).toEqual(['instruction-pointer-probe medium']);
  });

  test('half of the tries jump to the address that the attacker wrote', () => {
    const scan = times(80, (i) =>
      i % 2 === 0
        ? at(i, jump(0x4141_4140, { sp: ARM_STACK, pid: 100 + i }))
        : at(i, trap(0x41_0000 + anyPlace(i, 0x4_0000), { ...UNMAPPED, sp: ARM_STACK, pid: 100 + i })),
    );
    expect(rulesOf(scan)).toContain('instruction-pointer-probe high');
  });

  test('register dumps without trap lines', () => {
    const scan = times(60, (i) =>
      at(
        i,
        dump({
          PID: String(100 + i),
          RIP: `0033:0x${(0x5581_2340_0000 + 80 * Math.floor(random(i) * 6_000)).toString(16)}`,
          RSP: `002b:${hex(0x7ffd_1234_5670)}`,
        }),
      ),
    );
    expect(rulesOf(scan)).toEqual(['instruction-pointer-probe high']);
  });

  test('lines of a 32-bit ARM kernel', () => {
    const lines = times(40, (i) => {
      const pc = hex(0x41_0000 + anyPlace(i, 0x4_0000)).slice(8);
      const time = `[${(100 + i).toFixed(6).padStart(12)}]`;
      return [
        '8<--- cut here ---',
        `uhttpd: unhandled page fault (11) at 0x${hex(Math.floor(random(i) * 2 ** 31)).slice(8)}, code 0x005`,
        '[5f3a1000] *pgd=00000000',
        `CPU: 0 PID: ${2_000 + i} Comm: uhttpd Not tainted 5.10.161 #0`,
        'Hardware name: Generic DT based system',
        `PC is at 0x${pc.replace(/^0+/, '')}`,
        'LR is at 0x411234',
        `pc : [<${pc}>]    lr : [<00411234>]    psr: 60000010`,
        'sp : beff2d10  ip : 00000000  fp : beff2d50',
      ].map((text) => `${time} ${text}`);
    }).flat();
    const events = detectEventsFromText(lines.join('\n'), { hostname: 'edge-1', bootTimeMs: 0 });
    expect(events).toHaveLength(40);
    expect(
      rulesOf(events.map((event, i) => ({ ok: true, event, time: { seconds: 100 + i, nanos: 0 } }) as const)),
    ).toEqual(['instruction-pointer-probe high']);
  });
});

describe('no scan', () => {
  test('a program with fifteen faults in 256 layouts', () => {
    const crashes = times(300, (i) => {
      const fault = Math.floor(15 * random(i + 5_000) ** 2);
      const base = 0xb6f0_0000 - Math.floor(random(i + 900) * 256) * 4_096;
      return at(20 * i, trap(base + 0x1_2340 * fault, { ...UNMAPPED, sp: armStack(i), pid: 100 + i }));
    });
    expect(rulesOf(crashes)).toEqual([]);
  });

  test('a virtual machine that handles its faults, which 32-bit ARM logs', () => {
    const faults = (spread: number) =>
      times(200, (i) => at(i, trap(0xa800_0000 + anyPlace(i, spread), { ...UNMAPPED, sp: 0xa7f0_0000, pid: 1433 })));
    expect(rulesOf(faults(0x40_0000))).toEqual([]);
    // So close together that they look like small steps.
    expect(rulesOf(faults(0x4000))).toEqual([]);
  });

  test('two of them', () => {
    const faults = times(300, (i) =>
      at(
        i,
        trap(0xa800_0000 + anyPlace(i, 0x4000), {
          ...UNMAPPED,
          sp: 0xa7f0_0000,
          pid: random(i + 9) < 0.5 ? 1433 : 1699,
        }),
      ),
    );
    expect(rulesOf(faults)).toEqual([]);
  });

  test('one null check in each of many processes of one parent', () => {
    const checks = times(100, (i) =>
      at(
        20 * i,
        trap(0x7100_0000 + anyPlace(i, 0x200_0000), { ...UNMAPPED, trap: NULL_FIELD, sp: ARM_STACK, pid: 100 + i }),
      ),
    );
    expect(rulesOf(checks)).toEqual([]);
  });

  test('generated code on kernels that name files: known from an earlier crash, or on x86', () => {
    const generated = (sp: number) =>
      times(60, (i) =>
        at(60 * i + 1, trap(0x3f00_0000_0000 + 16 * Math.floor(random(i) * 1e8), { ...UNMAPPED, sp, pid: 100 + i })),
      );
    const onArm64 = 0xffff_c123_4560;
    expect(rulesOf([at(0, trap(0x40_1100, { procname: 'other', file: 'other' })), ...generated(onArm64)])).toEqual([]);
    const atPageEdge = { type: 'Segfault', location: 0x7f12_3456_7000 } as const;
    const explained = trap(0x40_1100, { procname: 'other', file: 'other', trap: atPageEdge });
    expect(rulesOf([at(0, explained), ...generated(onArm64)])).toEqual([]);
    expect(rulesOf(generated(0x7ffc_1234_5670))).toEqual([]);
  });
});
