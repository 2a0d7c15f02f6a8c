import { expect, test } from 'vitest';
import { trap } from '#analytics/detections/rule-case.ts';
import { compileExpression } from '#analytics/detections/user-rules/comparison.ts';
import { judgedEvent } from '#analytics/detections/user-rules/event-fields.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import type { EventType } from '#schemas/events/event.ts';
import { accepted, correlated, refusal, single } from './rules.ts';

/** True if the rule selects the event. */
function selects(detection: string, event: EventType, hostname = 'web-1'): boolean {
  const rule = accepted(single(detection));
  const [selection] = rule.selections;
  if (selection === undefined) return false;
  return (
    selection.types.includes(event.type) && compileExpression(selection.expression, 2_000)(judgedEvent(hostname, event))
  );
}

const crash = trap(0x40_1136, { procname: 'Nginx-worker', file: '/usr/sbin/nginx', pid: 4711 });

test.each([
  ['sel: { procname: nginx-WORKER }', true],
  ['sel: { procname|cased: nginx-worker }', false],
  ['sel: { procname: nginx* }', true],
  ['sel: { procname: nginx-?orker }', true],
  ['sel: { procname: n*x-w*r }', true],
  ['sel: { procname: n*x-w*x }', false],
  [String.raw`sel: { procname: 'nginx\*' }`, false],
  ['sel: { procname|contains: [x-w, nowhere] }', true],
  ['sel: { procname|contains|all: [x-w, nowhere] }', false],
  ['sel: { file|endswith: /NGINX, procname|startswith: ng }', true],
  ["sel: { procname|re: '^Nginx-[a-z]{3,9}$' }", true],
  ['sel: { procname|re: ^nginx }', false],
  ['sel: { procname|re|i: ^nginx-(work|play)er$ }', true],
  ['sel: { ip: 0x401136 }', true],
  ["sel: { ip: '0x401137' }", false],
  ['sel: { ip|gte: 4198710, ip|lt: 0x401137 }', true],
  ['sel: { pid|neq: 4711 }', false],
  ['sel: { signal: null }', true],
  ['sel: { signal|exists: true }', false],
  ['sel: { errcode.access_mode: user }', true],
  ['sel: { type: LinuxFatalSignal }', false],
  ['sel: [{ procname: sshd }, { hostname: web-* }]', true],
])('%s selects the crash: %s', (selection, expected) => {
  expect(selects(`${selection}\ncondition: sel`, crash)).toBe(expected);
});

test('a condition joins selections with and, or, not, parentheses and quantifiers', () => {
  const parts = 'sel_a: { procname: nginx* }\nsel_b: { procname: sshd }\n_c: { hostname: db-1 }\ncondition: ';
  for (const [condition, expected] of [
    ['sel_a', true],
    ['not sel_a', false],
    ['not not sel_a', true],
    ['1 of sel_*', true],
    ['all of sel_*', false],
    ['1 of them', true],
    ['sel_b or sel_a and not _c', true],
    ['(sel_b or sel_a) and _c', false],
    ['all of sel_a* and not (sel_b or _c)', true],
  ] as const)
    expect([condition, selects(parts + condition, crash)]).toEqual([condition, expected]);
});

test('addresses above 2^53 are compared to the last bit', () => {
  const high = trap(2n ** 64n - 2n, { procname: 'p' });
  expect(selects('s: { ip: 18446744073709551614 }\ncondition: s', high)).toBe(true);
  expect(selects('s: { ip: 0xfffffffffffffffe }\ncondition: s', high)).toBe(true);
  expect(selects('s: { ip: 0xffffffffffffffff }\ncondition: s', high)).toBe(false);
  expect(selects('s: { ip|lt: 0xffffffffffffffff, ip|gt: 0xfffffffffffffffd }\ncondition: s', high)).toBe(true);
});

test('a rule has its id, severity and techniques from the fields of Sigma', () => {
  const rule = accepted(
    correlated('type: event_count\nrules: nginx\ngroup-by: [hostname]\ntimespan: 10m\ncondition: { gt: 9 }'),
  );
  expect(rule).toMatchObject({
    id: 'user-together',
    severity: 'high',
    attack: [{ tactic: 'TA0002', technique: 'T1203' }],
    correlation: { type: 'event_count', timespan: 600, need: 10, groupNames: ['hostname'] },
    quiet: 600,
  });
  expect(
    accepted(single('s: { pid: 1 }\ncondition: s').replace('name: a_rule', 'id: 929a690e-bef0-4204-a928-ef5e620d6fcc'))
      .id,
  ).toBe('user-929a690e-bef0-4204-a928-ef5e620d6fcc');
});

test.each([
  ['s: { CommandLine: x }', '7 detection.s.CommandLine: there is no field "CommandLine"'],
  [
    's: { procname|base64: x }',
    '7 detection.s.procname|base64: the modifier base64 is not supported: events have no encoded fields',
  ],
  ['s: { ip|contains: 40 }', '7 detection.s.ip|contains: the modifier contains applies to texts, and ip is a number'],
  ['s: { ip: 0x40* }', '7 detection.s.ip: ip is a whole number from 0 to 2^64 - 1, without wildcards (got "0x40*")'],
  ['s: { procname|gt: 3 }', '7 detection.s.procname|gt: the modifier gt applies to numbers, and procname is a text'],
  ['s: [keyword]', '7 detection.s[0]: texts without a field are not supported'],
  ['s: { procname|re: (?=a) }', '7 detection.s.procname|re: groups with `(?` are not supported'],
  [
    String.raw`s: { procname|re: '\d' }`,
    String.raw`7 detection.s.procname|re: ${'`'}\d${'`'} is not supported: write a class such as [0-9]`,
  ],
  [
    's: { procname|re: "((a{200}){200}){200}" }',
    '7 detection.s.procname|re: the expressions of the file need more than 2000 states',
  ],
  ['s: &anchor { procname: x }', '7 detection.s: anchors and aliases are not supported'],
])('rejects %s with its line', (selection, expected) => {
  expect(refusal(single(`${selection}\ncondition: s`))).toContain(expected);
});

test.each([
  ['s and', 'ends where a selection is expected'],
  ['s | count() > 5', 'aggregations after `|` are not supported: write a correlation rule'],
  ['2 of s*', '`2 of` is not supported'],
  ['t', 'there is no selection "t"'],
  ['(s', 'a parenthesis is not closed'],
  ['s s', '`s` stands where `and` or `or` is expected'],
])('rejects the condition %s', (condition, expected) => {
  expect(refusal(single(`s: { pid: 1 }\ncondition: '${condition}'`))).toContain(`8 detection.condition: ${expected}`);
});

test.each([
  ['type: value_avg', 'the correlation type "value_avg" is not supported'],
  ['type: event_count\nrules: other', 'no detection rule of this file has the name or id "other"'],
  ['type: event_count\nrules: nginx\ngroup-by: [procname]', 'must contain hostname'],
  ['type: event_count\nrules: nginx\ngroup-by: [hostname, key]', 'events cannot be grouped by key'],
  ['type: event_count\nrules: nginx\ngroup-by: [hostname]\ntimespan: 2w', 'must be a number and a unit'],
  [
    'type: event_count\nrules: nginx\ngroup-by: [hostname]\ntimespan: 1h\ncondition: { lt: 3 }',
    'a stream passes every smaller count',
  ],
  ['type: value_count\nrules: nginx\ngroup-by: [hostname]\ntimespan: 1h\ncondition: { gte: 3 }', '`field` is missing'],
])('rejects the correlation %j', (correlation, expected) => {
  expect(refusal(correlated(correlation))).toContain(expected);
});

test('rejects a malicious file within limits', () => {
  const many = Array.from({ length: 1_001 }, (_, i) => `p${i}`).join(', ');
  expect(refusal(single(`s: { procname: [${many}] }\ncondition: s`))).toContain('more than 1000 values');
  const ors = Array.from({ length: 201 }, () => 's').join(' or ');
  expect(refusal(single(`s: { pid: 1 }\ncondition: ${ors}`))).toContain('more than 200 selections');
  expect(refusal(single(`s: { pid: 1 }\ncondition: ${'('.repeat(40)}s${')'.repeat(40)}`))).toContain(
    'nested deeper than 32',
  );
  expect(refusal('['.repeat(30_000))).toMatch(/nested|not valid YAML/);
  expect(refusal('a'.repeat(70_000))).toContain('at most 65536');
  expect(refusal('- a\n'.repeat(16_000))).toMatch(/must be a mapping|values in one file/);
  expect(readRule('a: &a [x, x]\nb: [*a, *a]').ok).toBe(false);
  expect(refusal('')).toContain('the file is empty');
});

test('an expression that makes backtracking engines exponential takes linear time', () => {
  const rule = accepted(single("s: { procname|re: '^(a|a)*(a+)+b$' }\ncondition: s"));
  const event = judgedEvent('h', trap(1, { procname: 'a'.repeat(1_000) }));
  const [selection] = rule.selections;
  expect(compileExpression(selection?.expression ?? { kind: 'or', of: [] }, 2_000)(event)).toBe(false);
});
