import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTable } from '#analytics/formats/table.ts';
import { terminalText, terminalWidth, toWidth } from '#analytics/formats/terminal-text.ts';
import { deadLetter, detection, events, HOSTILE, landed, record, tampering } from './samples.ts';

const ACTS_ON_A_TERMINAL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

describe('terminal text', () => {
  it.each([
    ['\x1b[31mred', '\\x1b[31mred'],
    ['\x9b31m', '\\x9b31m'],
    ['a\r\nb\tc\0', 'a\\x0d\\x0ab\\x09c\\x00'],
    ['\u202egnp', '\\u{202e}gnp'],
    ['zero\u200bwidth', 'zero\\u{200b}width'],
    ['\ud800', '\\u{d800}'],
    ['no\u00a0break', 'no break'],
    ['Ünïcode 日本 é', 'Ünïcode 日本 é'],
  ])('shows %j as %s', (value, shown) => {
    expect(terminalText(value)).toBe(shown);
  });

  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301\u0302', 1],
    ['😀', 2],
  ])('%s takes %i columns', (value, width) => {
    expect(terminalWidth(terminalText(value))).toBe(width);
  });

  it('is cut and padded to exactly the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 30 }), (value, width) => {
        const shown = toWidth(terminalText(value), width);
        expect(terminalWidth(shown)).toBe(width);
        expect(shown).not.toMatch(ACTS_ON_A_TERMINAL);
      }),
      { numRuns: 500 },
    );
  });
});

describe('table', () => {
  it('is aligned: every column starts at its title', () => {
    const table = createTable(140);
    const header = table.header?.('detections') ?? '';
    for (const d of [detection, tampering]) {
      const row = table.detection?.(d) ?? '';
      expect(row.indexOf(d.rule.id)).toBe(header.indexOf('RULE'));
      expect(row.indexOf(d.message)).toBe(header.indexOf('MESSAGE'));
    }
    expect(table.detection?.(detection)).toContain('≥190');
  });

  it.each([40, 80, 120, 200])(
    'at %i columns no line is wider, and none contains terminal control characters',
    (width) => {
      const table = createTable(width);
      const lines = HOSTILE.flatMap((name) => [
        table.event?.(record({ ...events.kernelTrap, procname: name }, { hostname: name })) ?? '',
        table.event?.(record({ ...events.configMismatch, key: name })) ?? '',
        table.detection?.({ ...detection, procname: name, hostname: name, message: name }) ?? '',
        table.deadLetter?.({ ...deadLetter, raw: Buffer.from(name), path: name }) ?? '',
        table.deadLetter?.({ ...deadLetter, raw: Buffer.from([0xff, 0x1b]) }) ?? '',
      ]);
      for (const line of [...lines, table.header?.('events') ?? '', table.header?.('dead-letters') ?? '']) {
        expect(terminalWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(ACTS_ON_A_TERMINAL);
      }
    },
  );

  it('shows addresses in hexadecimal', () => {
    expect(createTable(200).event?.(landed)).toContain(
      'ip 0xfffffffffffffffe, sp 0x7ffd5833d0c0 in a.out[0x561bc8d8f000+0x1000]',
    );
  });

  it('truncates a long dead letter between characters', () => {
    const raw = Buffer.from('é'.repeat(5000)).subarray(0, 5000 - 1);
    expect(createTable(120).deadLetter?.({ ...deadLetter, raw })).toContain('éé');
  });
});
