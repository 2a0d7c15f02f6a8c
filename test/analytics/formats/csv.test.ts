import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText } from '#analytics/formats/csv-cell.ts';
import { FORMATS, writeRecords } from '#analytics/formats/formats.ts';
import type { RecordKind, RecordOf } from '#analytics/formats/record.ts';
import { readCsv } from './csv-reader.ts';
import { deadLetter, detection, events, HOSTILE, landed, record } from './samples.ts';

function table<K extends RecordKind>(kind: K, records: RecordOf[K][]): Record<string, string>[] {
  const [titles = [], ...rows] = readCsv([...writeRecords(FORMATS.csv, kind, records)].join(''));
  return rows.map((row) => {
    expect(row).toHaveLength(titles.length);
    return Object.fromEntries(row.map((cell, at) => [titles[at] ?? '', cell]));
  });
}
const undo = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

describe('a CSV cell', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t1', `"'\t1"`],
    ['\r1', `"'\r1"`],
    ['\n1', `"'\n1"`],
    [' =1', `"' =1"`],
    ['\uff1d1', `"'\uff1d1"`],
    ["'x", `"''x"`],
    ['=a","=b', `"'=a"",""=b"`],
    ['a-b', 'a-b'],
    ['', ''],
    [null, ''],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['nul\0', 'nul\u2400'],
  ])('writes %j as %s', (value, cell) => {
    expect(csvText(value)).toBe(cell);
  });

  it('never starts with a formula of a spreadsheet, and its text can be parsed back', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', "'", '"', ',', 'a') }),
        (value) => {
          const cell = csvText(value);
          const [[read = ''] = []] = readCsv(`${cell},x\r\n`);
          expect(read).not.toMatch(/^(\s*[=+\-@]|[\t\r\n])/);
          expect(undo(read)).toBe(value);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('CSV', () => {
  it('keeps all 64 bits, as digits and as hexadecimal text', () => {
    expect(table('events', [landed])).toMatchObject([
      {
        topic: 'events.v1',
        partition: '3',
        offset: '42',
        received: '2023-11-14T22:13:20.000Z',
        timestamp: '1974-12-31T00:00:00.123456789Z',
        pid: '36275',
        ip: '18446744073709551614',
        ip_hex: '0xfffffffffffffffe',
        location: '18446744073709551615',
        vmastart: '94677333766144',
        trap: 'Segfault',
        raw: landed.raw,
      },
    ]);
  });

  it('reads process and pointers of a fatal signal from its dump', () => {
    expect(table('events', [record(events.fatalSignal)])).toMatchObject([
      { procname: 'edge-gw', pid: '4711', ip_hex: '0x7fd70f4f1eec', sp_hex: '0x7ffd00000001', signal: 'SIGIOT' },
    ]);
  });

  it('survives malicious names in every kind of record', () => {
    for (const name of HOSTILE) {
      const [event] = table('events', [record({ ...events.kernelTrap, procname: name }, { hostname: name })]);
      expect(undo(event?.procname ?? '')).toBe(name.replaceAll('\0', '\u2400'));
      const [found] = table('detections', [{ ...detection, procname: name, note: name }]);
      expect(undo(found?.note ?? '')).toBe(name.replaceAll('\0', '\u2400'));
    }
  });

  it('preserves dead letters byte for byte', () => {
    for (const raw of [
      Buffer.from('=1+1'),
      Buffer.from([0xff, 0x00]),
      Buffer.from('a\0b'),
      Buffer.from('\ufeff{}\r\n'),
      Buffer.alloc(0),
    ]) {
      const [row] = table('dead-letters', [{ ...deadLetter, raw }]);
      const back =
        row?.rawEncoding === 'base64' ? Buffer.from(row.raw ?? '', 'base64') : Buffer.from(undo(row?.raw ?? ''));
      expect(back).toEqual(raw);
    }
  });
});
