import { describe, expect, test } from 'vitest';
import type { Rejection } from '#schemas/events/accepted.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { eventText, TRAP_EVENT, trapTextWithIp } from './sample-event.ts';

const TRAP_TEXT = JSON.stringify(TRAP_EVENT);

function refusal(text: string): Pick<Rejection, 'code' | 'path'> | 'accepted' {
  const result = readEvent(text);
  return result.ok ? 'accepted' : { code: result.code, path: result.path };
}

test('an event is accepted with its time and nothing changed', () => {
  expect(readEvent(TRAP_TEXT)).toEqual({
    ok: true,
    event: TRAP_EVENT,
    time: { seconds: Date.parse('2026-03-01T07:15:30Z') / 1000, nanos: 123_456_789 },
  });
});

describe('a number of a 64-bit field', () => {
  test.each([
    ['0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551614', 18446744073709551614n],
    ['18446744073709551615', 18446744073709551615n],
    // The mathematical value counts, not the notation.
    ['1e3', 1000],
    ['1.0', 1],
    ['10E+2', 1000],
    ['1000e-2', 10],
    ['1e19', 10000000000000000000n],
    ['1.8446744073709551615e19', 18446744073709551615n],
    ['18446744073709551615.0', 18446744073709551615n],
    ['184467440737095516150e-1', 18446744073709551615n],
    ['9007199254740993.000', 9007199254740993n],
    ['0e99999999999', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['-0e5', 0],
    // Below the smallest double: parsed as 0, as by every JSON parser. The raw text keeps its digits.
    ['1e-400', 0],
  ])('%s is %s', (spelled, value) => {
    const result = readEvent(trapTextWithIp(spelled));
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.event.event).toHaveProperty('ip', value);
    expect(result.ok && Object.is((result.event.event as { ip: unknown }).ip, -0)).toBe(false);
  });

  test.each([
    ['18446744073709551616', 'integer_out_of_range'],
    ['18446744073709551615.0e1', 'integer_out_of_range'],
    ['1.8446744073709551616e19', 'integer_out_of_range'],
    ['100000000000000000000', 'integer_out_of_range'],
    ['1e20', 'integer_out_of_range'],
    ['1e308', 'integer_out_of_range'],
    ['1e400', 'integer_out_of_range'],
    ['1e99999999999999999999', 'integer_out_of_range'],
    ['-1', 'negative_integer'],
    ['-1e400', 'negative_integer'],
    ['-18446744073709551615', 'negative_integer'],
    ['1.5', 'not_an_integer'],
    ['-1.5', 'not_an_integer'],
    ['1e-1', 'not_an_integer'],
    // The double of each of these is an integer.
    ['1.00000000000000000001', 'not_an_integer'],
    ['9007199254740.9999999', 'not_an_integer'],
    ['0.99999999999999999', 'not_an_integer'],
    ['9007199254740992.5', 'not_an_integer'],
    ['18446744073709551615.5', 'not_an_integer'],
    ['"94228340642178"', 'wrong_type'],
    ['null', 'wrong_type'],
    ['true', 'wrong_type'],
    ['[1]', 'wrong_type'],
  ])('%s is rejected as %s', (spelled, code) => {
    expect(refusal(trapTextWithIp(spelled))).toEqual({ code, path: '$.event.ip' });
  });

  test.each(['01', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', '1_000', '1n', '-'])('%s is not JSON', (spelled) => {
    expect(refusal(trapTextWithIp(spelled))).toEqual({ code: 'malformed_json', path: '$' });
  });

  test('all of them are exact, at any position', () => {
    const big = '18446744073709551613';
    const trap = TRAP_TEXT.replace(/"(ip|sp|pid|vmastart|vmasize|location)":\d+/g, `"$1":${big}`);
    const count = eventText({
      type: 'LinuxSuppressedCallback',
      level: 'Info',
      facility: 'Kern',
      function_name: 'f',
      count: 1,
    });
    const probe = (justification: string) =>
      `{"version":"V1","timestamp":"2026-03-01T08:15:30Z","event":{"type":"RegisterProbe","procname":"p","register":"ip","message":"m","justification":${justification}}}`;
    const all = [
      trap,
      count.replace('"count":1', `"count":${big}`),
      probe(`{"EventCount":${big}}`),
      probe(`{"FullEvents":[${trap},${probe(`{"FullEvents":[${trap}]}`)}]}`),
    ];
    for (const text of all) {
      const result = readEvent(text);
      expect(result.ok).toBe(true);
      const numbers = text.match(/:\d{16,}/g) ?? [];
      const restored = JSON.stringify(result, (_, value) => (value === 18446744073709551613n ? 'exact' : value));
      expect(restored.match(/"exact"/g)).toHaveLength(numbers.length);
    }
  });

  test('an invalid one in a nested event is reported at its path', () => {
    const text = `{"version":"V1","timestamp":"2026-03-01T08:15:30Z","event":{"type":"RegisterProbe","procname":"p","register":"ip","message":"m","justification":{"FullEvents":[${TRAP_TEXT},${trapTextWithIp('18446744073709551616')}]}}}`;
    expect(refusal(text)).toEqual({
      code: 'integer_out_of_range',
      path: '$.event.justification.FullEvents[1].event.ip',
    });
  });
});

describe('duplicate keys: the last one counts', () => {
  test.each([
    ['18446744073709551616,"ip":5', 5],
    ['5,"ip":18446744073709551615', 18446744073709551615n],
    ['18446744073709551616,"ip":18446744073709551615', 18446744073709551615n],
    ['9007199254740993,"ip":9007199254740992', 9007199254740992n],
    ['9007199254740993,"\\u0069p":9007199254740995', 9007199254740995n],
    ['1.5,"ip":9007199254740995', 9007199254740995n],
  ])('"ip":%s', (spelled, value) => {
    const result = readEvent(trapTextWithIp(spelled));
    expect(result.ok && result.event.event).toHaveProperty('ip', value);
  });

  test('the event is rejected if the last one is invalid', () => {
    const text = trapTextWithIp('18446744073709551615,"ip":18446744073709551616');
    expect(refusal(text)).toEqual({ code: 'integer_out_of_range', path: '$.event.ip' });
  });

  test('also for a whole object', () => {
    const first = JSON.stringify(TRAP_EVENT.event).replace(/"vmastart":\d+/, '"vmastart":18446744073709551616');
    const second = JSON.stringify(TRAP_EVENT.event).replace(/"ip":\d+/, '"ip":9007199254740993');
    const result = readEvent(
      `{"version":"V0","event":${first},"version":"V1","timestamp":"2026-03-01T08:15:30Z","event":${second}}`,
    );
    expect(result.ok && result.event.event).toEqual({ ...TRAP_EVENT.event, ip: 9007199254740993n });
  });
});

describe('the version comes first', () => {
  test.each([
    ['{}', 'version_missing', '$.version'],
    ['{"event":5}', 'version_missing', '$.version'],
    ['{"Version":"V1"}', 'version_missing', '$.version'],
    ['{"version":1}', 'version_not_a_string', '$.version'],
    ['{"version":null,"event":5}', 'version_not_a_string', '$.version'],
    ['{"version":["V1"]}', 'version_not_a_string', '$.version'],
    ['{"version":"V0","event":5}', 'version_unknown', '$.version'],
    ['{"version":"v1"}', 'version_unknown', '$.version'],
    ['{"version":""}', 'version_unknown', '$.version'],
    ['{"version":"__proto__"}', 'version_unknown', '$.version'],
    ['{"__proto__":{"version":"V1"}}', 'version_missing', '$.version'],
    ['[]', 'not_an_object', '$'],
    ['null', 'not_an_object', '$'],
    ['"V1"', 'not_an_object', '$'],
    ['5', 'not_an_object', '$'],
  ])('%s', (text, code, path) => {
    expect(refusal(text)).toEqual({ code, path });
  });
});

describe('rejects texts that are not JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '{"version":"V1"',
    '{"version":"V1",}',
    "{'version':'V1'}",
    `${TRAP_TEXT}x`,
    `${TRAP_TEXT}${TRAP_TEXT}`,
  ])('%j', (text) => {
    const result = readEvent(text);
    expect(result).toMatchObject({ ok: false, code: 'malformed_json', path: '$' });
  });

  test('messages never quote the content of the record', () => {
    for (const text of ['{"secret": hunter2 }', 'hunter2', '{"hunter2', '["hunter2" "hunter2"]']) {
      const result = readEvent(text);
      expect(result.ok || result.message).not.toMatch(/hunter2|secret/);
    }
  });
});

describe('unusual but valid', () => {
  test('keeps unknown fields everywhere, with exact long integers', () => {
    const text = `{"version":"V1","timestamp":"2026-03-01T08:15:30Z","zone":{"ip":18446744073709551616,"list":[-12345678901234567890,{"deep":[98765432109876543210]}]},"event":{"type":"ConfigMismatch","key":"k","expected_value":"1","observed_value":"0","ip":99999999999999999999,"count":-5}}`;
    const result = readEvent(text);
    expect(result.ok && result.event).toEqual({
      version: 'V1',
      timestamp: '2026-03-01T08:15:30Z',
      zone: { ip: 18446744073709551616n, list: [-12345678901234567890n, { deep: [98765432109876543210n] }] },
      event: {
        type: 'ConfigMismatch',
        key: 'k',
        expected_value: '1',
        observed_value: '0',
        ip: 99999999999999999999n,
        count: -5,
      },
    });
  });

  test('a key __proto__ is a field like any other and touches no prototype', () => {
    const text = TRAP_TEXT.replace('{', '{"__proto__":{"polluted":12345678901234567890},').replace(
      '"event":{',
      '"event":{"__proto__":{"type":"ConfigMismatch"},"constructor":{"prototype":{"polluted":1}},',
    );
    const result = readEvent(text);
    expect(result.ok).toBe(true);
    expect(result.ok && Object.getOwnPropertyDescriptor(result.event, '__proto__')?.value).toEqual({
      polluted: 12345678901234567890n,
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const dump =
      '{"type":"LinuxFatalSignal","level":"Info","facility":"Kern","signal":"SIGSEGV","stack_dump":{"__proto__":5}}';
    expect(refusal(eventText({}).replace('"event":{}', `"event":${dump}`))).toEqual({
      code: 'wrong_type',
      path: '$.event.stack_dump.__proto__',
    });
  });

  test('a required field does not come from a prototype', () => {
    const text = TRAP_TEXT.replace('"procname":"edge-gw"', '"__proto__":{"procname":"edge-gw"}');
    expect(refusal(text)).toEqual({ code: 'field_missing', path: '$.event.procname' });
  });

  test.each([
    ['\\u0000', '\u0000'],
    ['\\ud800', '\ud800'],
    ['\\udc00\\ud800', '\udc00\ud800'],
    ['\\u2028', '\u2028'],
    ['\u2028', '\u2028'],
    ['\\"ip\\":1', '"ip":1'],
    ['\u007f', '\u007f'],
  ])('a process name %j', (written, name) => {
    const result = readEvent(TRAP_TEXT.replace('"procname":"edge-gw"', `"procname":"${written}"`));
    expect(result.ok && result.event.event).toHaveProperty('procname', name);
  });

  test('a raw control character inside a string is not JSON', () => {
    for (const raw of ['\u0000', '\n', '\t', '\u001f']) {
      expect(refusal(TRAP_TEXT.replace('edge-gw', `edge${raw}gw`))).toEqual({ code: 'malformed_json', path: '$' });
    }
  });
});

describe('nesting', () => {
  const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
  const withUnknown = (json: string) => TRAP_TEXT.replace('{', `{"unknown":${json},`);

  test('64 levels are accepted and 65 are not', () => {
    expect(refusal(withUnknown(nested(63)))).toBe('accepted');
    expect(refusal(withUnknown(nested(64)))).toEqual({ code: 'nested_too_deep', path: '$' });
    expect(refusal(withUnknown(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`))).toEqual({
      code: 'nested_too_deep',
      path: '$',
    });
  });

  test('only brackets outside strings count', () => {
    const procname = JSON.stringify(`${'{["\\'.repeat(100)}`);
    expect(refusal(TRAP_TEXT.replace('"procname":"edge-gw"', `"procname":${procname}`))).toBe('accepted');
    expect(refusal(withUnknown(`[${Array(500).fill('{}').join(',')}]`))).toBe('accepted');
  });

  test('a million levels are too deep, too', () => {
    expect(refusal('['.repeat(1_000_000))).toEqual({ code: 'nested_too_deep', path: '$' });
    expect(refusal('{"a":'.repeat(1_000_000))).toEqual({ code: 'nested_too_deep', path: '$' });
  });
});
