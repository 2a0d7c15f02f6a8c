import { expect, test } from 'vitest';
import { indentJson } from '#dashboards/console/src/parts/indent-json.ts';

test('indents JSON in one line, with digits and escapes unchanged', () => {
  expect(
    indentJson('{"ip":18446744073709551615,"name":"a{,\\"[b:","list":[1.50, -2e9],"empty":{},"none":[ ],"ok":true}'),
  ).toBe(
    [
      '{',
      '  "ip": 18446744073709551615,',
      '  "name": "a{,\\"[b:",',
      '  "list": [',
      '    1.50,',
      '    -2e9',
      '  ],',
      '  "empty": {},',
      '  "none": [],',
      '  "ok": true',
      '}',
    ].join('\n'),
  );
});

test('leaves text that is not a JSON object or list, or has line breaks, unchanged', () => {
  for (const text of ['whsec_a,b:c', '{\n "a": 1\n}', '']) expect(indentJson(text)).toBe(text);
});
