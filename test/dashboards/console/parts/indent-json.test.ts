import { expect, test } from 'vitest';
import { indentJson } from '#dashboards/console/src/parts/indent-json.ts';

test('JSON in one line is indented; digits and escapes stay as they were sent', () => {
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

test('what is no JSON object or list, or has lines already, stays as it is', () => {
  for (const text of ['whsec_a,b:c', '{\n "a": 1\n}', '']) expect(indentJson(text)).toBe(text);
});
