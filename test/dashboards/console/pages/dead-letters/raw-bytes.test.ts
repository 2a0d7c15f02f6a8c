import { expect, test } from 'vitest';
import { bytesOf, hexDump, visibleText } from '#dashboards/console/src/pages/dead-letters/raw-bytes.ts';
import { visible } from '#dashboards/console/src/parts/visible.ts';

test('decodes payload bytes of every encoding unchanged', () => {
  expect([...bytesOf({ raw: 'aé', rawEncoding: 'utf8' })]).toEqual([0x61, 0xc3, 0xa9]);
  expect([...bytesOf({ raw: '/wCA', rawEncoding: 'base64' })]).toEqual([0xff, 0x00, 0x80]);
});

test('replaces invisible characters with symbols, so that no text hides or reverses other text', () => {
  expect(visible('a\0b\u001b[2J\u202egnp.exe\u200b\n\tend\u0085')).toBe(
    'a\u2400b\u241b[2J\\u{202e}gnp.exe\\u{200b}\n\tend\\u{85}',
  );
  expect(visibleText(Uint8Array.of(0x61, 0xff, 0x00))).toBe('a\ufffd\u2400');
});

test('a hex dump has sixteen bytes per line, with offset and ASCII', () => {
  expect(hexDump(new TextEncoder().encode('{"version":"V1"}\n'))).toBe(
    [
      '00000000  7b 22 76 65 72 73 69 6f 6e 22 3a 22 56 31 22 7d  {"version":"V1"}',
      `00000010  0a${' '.repeat(45)}  .`,
    ].join('\n'),
  );
});
