import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createChecker } from '#api/workflows/definitions/checker.ts';
import { readYaml } from '#api/workflows/definitions/read-yaml.ts';
import { doubledReferences } from '../../executions/json-schema/doubled-references.ts';

const checker = createChecker();
afterAll(() => checker.close());

const HEAD = 'document: {dsl: 1.0.0, namespace: t, name: x, version: 1.0.0}\n';
const issuesOf = async (yaml: string) => {
  const checked = await checker.check(yaml);
  return checked.ok ? [] : checked.issues;
};
const first = async (yaml: string) => (await issuesOf(yaml))[0];

test('any text is parsed as JSON or rejected', () => {
  const piece = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '[',
    ']',
    '{',
    '}',
    '&x ',
    '*x',
    '!!str ',
    '|',
    '>',
    '"',
    "'",
    '#',
    '<<: ',
    '.inf',
    '0x1f',
    '\u0000',
    '\ud800',
    '? ',
    '---\n',
    '%TAG ',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, (yaml) => {
      const read = readYaml(yaml);
      if ('issues' in read) expect(read.issues.length).toBeGreaterThan(0);
      else expect(JSON.parse(JSON.stringify(read.value))).toEqual(read.value);
    }),
    { numRuns: 500 },
  );
});

test('returns JSON unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue()), (value) => {
      const read = readYaml(JSON.stringify(value));
      if ('issues' in read) return;
      expect(read.value).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 200 },
  );
});

test('positions are those of the text', () => {
  const read = readYaml('a:\n  - b: 1\n  - c:\n      d: 2\n');
  if ('issues' in read) throw new Error('it is YAML');
  expect(read.locate(['a', 1, 'c', 'd'])).toEqual({ line: 4, column: 10 });
  expect(read.locate(['a', '0'])).toEqual({ line: 2, column: 5 });
  // The position of a missing member is that of the nearest enclosing member.
  expect(read.locate(['a', 1, 'c', 'e', 'f'])).toEqual({ line: 4, column: 7 });
  expect(read.locate([])).toEqual({ line: 1, column: 1 });
});

test('compiles expressions without running them', async () => {
  const set = (expression: string) => `${HEAD}do:\n- a:\n    set:\n      x: ${JSON.stringify(`\${ ${expression} }`)}\n`;
  for (const right of [
    '.a.b',
    '[.[] | select(.x > 1)] | length',
    '$context.x + $input.y',
    '. as [$p, $q] | $p',
    'def f($n): $n + 1; f(1)',
    '"a\\(.b)c"',
    '$workflow.id, $runtime.name | tostring',
    'repeat(.)',
    '.a # and so on',
  ])
    expect(await issuesOf(set(right))).toEqual([]);
  for (const [wrong, message] of [
    ['.a |', /syntax error/],
    ['foo(1)', /foo\/1 is not defined/],
    ['$unknown', /\$unknown is not defined$/],
    ['$authorization.parameter', /\$authorization is not defined: it would hold the value of a secret/],
    ['$secrets.key', /secret 'key' is not declared/],
  ] as const) {
    const issue = await first(set(wrong));
    expect([issue?.message, issue?.line, issue?.path]).toEqual([
      expect.stringMatching(message),
      5,
      ['do', 0, 'a', 'set', 'x'],
    ]);
  }
});

describe('a release finds a wrong expression at any position', () => {
  const task = (yaml: string) => `do:\n- a: ${yaml}\n`;
  const kafka = (subscription: string) =>
    task(
      `{call: asyncapi, with: {document: {endpoint: https://example.org/a}, operation: o, subscription: ${subscription}}}`,
    );
  const places: readonly (readonly [yaml: string, path: string])[] = [
    [task('{set: {x: 1}, if: WRONG}'), 'do.0.a.if'],
    [task('{set: {x: 1}, input: {from: WRONG}}'), 'do.0.a.input.from'],
    [task('{set: {x: 1}, output: {as: WRONG}}'), 'do.0.a.output.as'],
    [task('{set: {x: 1}, export: {as: WRONG}}'), 'do.0.a.export.as'],
    [task('{for: {in: WRONG}, do: []}'), 'do.0.a.for.in'],
    [task('{for: {in: .}, while: WRONG, do: []}'), 'do.0.a.while'],
    [task('{switch: [{b: {when: WRONG, then: end}}]}'), 'do.0.a.switch.0.b.when'],
    [task('{try: [], catch: {when: WRONG}}'), 'do.0.a.catch.when'],
    [task('{try: [], catch: {exceptWhen: WRONG}}'), 'do.0.a.catch.exceptWhen'],
    [task('{try: [], catch: {retry: {when: WRONG}}}'), 'do.0.a.catch.retry.when'],
    [task('{try: [], catch: {retry: {exceptWhen: WRONG}}}'), 'do.0.a.catch.retry.exceptWhen'],
    [
      task('{listen: {to: {one: {with: {type: t}, correlate: {id: {from: WRONG}}}}}}'),
      'do.0.a.listen.to.one.correlate.id.from',
    ],
    [
      task('{listen: {to: {any: [{with: {type: t}, correlate: {id: {from: WRONG}}}]}}}'),
      'do.0.a.listen.to.any.0.correlate.id.from',
    ],
    [
      task('{listen: {to: {all: [{with: {type: t}, correlate: {id: {from: WRONG}}}]}}}'),
      'do.0.a.listen.to.all.0.correlate.id.from',
    ],
    [task('{listen: {to: {any: [{with: {type: t}}], until: WRONG}}}'), 'do.0.a.listen.to.until'],
    [
      task(
        '{listen: {to: {any: [{with: {type: t}}], until: {one: {with: {type: t}, correlate: {id: {from: WRONG}}}}}}}',
      ),
      'do.0.a.listen.to.until.one.correlate.id.from',
    ],
    [task('{listen: {to: {one: {with: {type: t}}}}, foreach: {output: {as: WRONG}}}'), 'do.0.a.foreach.output.as'],
    [task('{listen: {to: {one: {with: {type: t}}}}, foreach: {export: {as: WRONG}}}'), 'do.0.a.foreach.export.as'],
    [kafka('{filter: "${ WRONG }", consume: {amount: 1}}'), 'do.0.a.with.subscription.filter'],
    [kafka('{consume: {while: "${ WRONG }"}}'), 'do.0.a.with.subscription.consume.while'],
    [kafka('{consume: {until: "${ WRONG }"}}'), 'do.0.a.with.subscription.consume.until'],
    [kafka('{consume: {amount: 1}, foreach: {output: {as: WRONG}}}'), 'do.0.a.with.subscription.foreach.output.as'],
    [
      kafka('{consume: {amount: 1}, foreach: {do: [{b: {set: {x: 1}, if: WRONG}}]}}'),
      'do.0.a.with.subscription.foreach.do.0.b.if',
    ],
    [task('{call: http, with: {method: get, endpoint: "${ WRONG }"}}'), 'do.0.a.with.endpoint'],
    [
      task('{call: openapi, with: {document: {endpoint: "${ WRONG }"}, operationId: o}}'),
      'do.0.a.with.document.endpoint',
    ],
    [
      task('{raise: {error: {type: "https://example.org", status: 400, title: "${ WRONG }"}}}'),
      'do.0.a.raise.error.title',
    ],
    [task('{set: {title: "${ WRONG }"}}'), 'do.0.a.set.title'],
    [task('{set: {deep: [{code: "a ${ WRONG }"}]}}'), 'do.0.a.set.deep.0.code'],
    [task('{wait: "${ WRONG }"}'), 'do.0.a.wait'],
    [task('{run: {script: {language: js, code: x, stdin: "${ WRONG }"}}}'), 'do.0.a.run.script.stdin'],
    // Users choose the names of tasks.
    ['do:\n- set: {set: {x: 1}, if: WRONG}\n', 'do.0.set.if'],
    ['do:\n- code: {set: {x: "${ WRONG }"}}\n', 'do.0.code.set.x'],
    ['input: {from: WRONG}\ndo: []\n', 'input.from'],
    ['output: {as: WRONG}\ndo: []\n', 'output.as'],
    ['use: {extensions: [{e: {extend: all, when: WRONG}}]}\ndo: []\n', 'use.extensions.0.e.when'],
    ['use: {retries: {r: {when: WRONG}}}\ndo: []\n', 'use.retries.r.when'],
    ['use: {retries: {r: {exceptWhen: WRONG}}}\ndo: []\n', 'use.retries.r.exceptWhen'],
    ['use: {functions: {f: {set: {x: 1}, if: WRONG}}}\ndo: []\n', 'use.functions.f.if'],
    [
      'schedule: {on: {one: {with: {type: t}, correlate: {id: {from: WRONG}}}}}\ndo: []\n',
      'schedule.on.one.correlate.id.from',
    ],
  ];
  test.each(places.map(([yaml, path]) => [path, yaml] as const))('%s', async (path, yaml) => {
    const text = (expression: string) => `${HEAD}${yaml.replaceAll('WRONG', expression)}`;
    expect(await issuesOf(text('.a.b'))).toEqual([]);
    const [issue, ...more] = await issuesOf(text("'.a |'"));
    expect(more).toEqual([]);
    expect([issue?.path.join('.'), issue?.message]).toEqual([path, expect.stringMatching(/^invalid jq expression: /)]);
  });

  test('does not compile values that are not evaluated', async () => {
    const yaml = `${HEAD}do:
- a: {run: {script: {language: js, code: "\`\${ a b }\`"}}, metadata: {note: "\${ a b }"}, input: {schema: {document: {const: "\${ a b }"}}}}
- b: {set: {if: a b, when: a b, from: a b, input: {from: a b}}}
- c: {call: f, with: {subscription: {filter: a b}}}
use: {functions: {f: {set: {x: 1}}}}
`;
    expect(await issuesOf(yaml)).toEqual([]);
  });
});

test('expressions know the variables of loops and catches', async () => {
  const yaml = `${HEAD}do:
- all:
    for: {each: host, in: .hosts, at: place}
    while: $place < 10
    do:
    - one:
        set: {x: "\${ $host.name }"}
- safe:
    try:
    - inner: {set: {x: 1}}
    catch:
      as: problem
      when: $problem.status == 404
      do:
      - report: {set: {x: "\${ $problem.title }"}}
`;
  expect(await issuesOf(yaml)).toEqual([]);
});

test('rejects a variable without a value, with the available ones', async () => {
  const yaml = `${HEAD}input: {from: "\${ $task.name }"}
output: {as: "$output.x + $context.y"}
do:
- early: {set: {x: "\${ $output }"}}
- all:
    for: {in: "$index"}
    do:
    - one: {set: {x: "\${ [$item, $index, $task.name] }"}, export: {as: "$output"}}
- after: {if: "$item == 1", set: {x: 1}}
- safe:
    try:
    - inner: {set: {x: "\${ $error }"}}
    catch:
      retry: {when: "$error.status == 503", delay: PT1S}
      do:
      - report: {set: {x: "\${ $error.title }"}}
- heard:
    listen: {to: {any: [{with: {type: t, data: "\${ .n > $input.n }"}}, {with: {type: t, data: "\${ $workflow.id }"}}]}}
    foreach:
      do:
      - each: {set: {x: "\${ [$item, $index] }"}}
      output: {as: "[$item, $output]"}
- called: {call: f}
use:
  functions:
    f: {set: {x: "\${ $item }"}}
  retries:
    r: {when: "$error.status == 503"}
`;
  const issues = await issuesOf(yaml);
  expect(issues.map(({ path }) => path.join('/')).toSorted()).toEqual([
    'do/0/early/set/x',
    'do/1/all/for/in',
    'do/2/after/if',
    'do/3/safe/try/0/inner/set/x',
    'do/4/heard/listen/to/any/1/with/data',
    'input/from',
    'use/functions/f/set/x',
  ]);
  expect(issues.find(({ path }) => path[0] === 'input')?.message).toBe(
    'invalid jq expression: $task is not defined: it is not available here; available: $context, $input, $secrets, $workflow, $runtime',
  );
});

test('finds each of many wrong expressions among right ones', async () => {
  const lines = Array.from(
    { length: 500 },
    (_, at) => `- s${at}: {set: {x: "\${ .a[${at}] ${at % 100 === 7 ? '|' : ''} }"}}`,
  );
  const issues = await issuesOf(`${HEAD}do:\n${lines.join('\n')}\n`);
  expect(issues.map(({ line }) => line)).toEqual([10, 110, 210, 310, 410]);
});

test('reports a violation of the DSL once, for the written kind of task', async () => {
  const wrong = [
    [
      '- a: {call: http, with: {method: get, endpoint: {uri: "https://x", authentication: {certificate: {}}}}}',
      /^must have required property 'use'$/,
    ],
    [
      '- a: {call: http, with: {method: get, endpoint: {uri: "https://x", authentication: {ssl: {}}}}}',
      /^unknown property 'ssl'; one of these is required: use, basic, bearer, digest, oauth2, oidc, certificate/,
    ],
    ['- a: {sett: {x: 1}}', /^one of these is required: (?:[a-z]+, )*call, do, emit, for/],
    ['- a: {set: {x: 1}, thn: end}', /^unknown property 'thn'$/],
    ['- a: {set: ".x"}', /pattern/],
    ['- a: {set: {x: 1}, wait: PT1S}', /^unknown property 'wait'; unknown property 'set'$/],
    ['- a: {call: http, with: {method: get}}', /^must have required property 'endpoint'$/],
    ['- a: {call: openapi, with: {operationId: list}}', /^must have required property 'document'$/],
    ['- a: {call: greet, wth: {}}', /^unknown property 'wth'$/],
    ['- a: {wait: {secnds: 5}}', /^unknown property 'secnds'$/],
    ['- a: {wait: {seconds: many}}', /^must be integer$/],
    ['- a: {for: {in: .x}, do: 5}', /^must be array$/],
    ['- a: 5', /must be object/],
  ] as const;
  for (const [task, message] of wrong) {
    const issues = await issuesOf(`${HEAD}do:\n${task}\n`);
    expect(issues, task).toHaveLength(1);
    expect(issues[0]).toMatchObject({ message: expect.stringMatching(message), line: 3 });
  }
  expect((await first('document: {dsl: 2.0.0}'))?.message).toMatch(/version of the DSL/);
  expect((await first('[]'))?.message).toMatch(/a workflow must be an object/);
  expect(
    await issuesOf(
      HEAD.replace('1.0.0', '1.0.3').concat(
        'do:\n- a: {set: "${ . }"}\n- b: {wait: "${ .pause }", timeout: {after: "${ .most }"}}\n',
      ),
    ),
  ).toEqual([]);
});

test('compiles schemas within limits, and reports errors with line and path', async () => {
  const schema = (text: string) => `${HEAD}input:\n  schema:\n    document:\n      ${text}\ndo: [{a: {set: {x: 1}}}]\n`;
  const wrong = [
    [JSON.stringify(doubledReferences(60)), /more than 10000 subschemas/],
    ['{type: nonsense}', /this JSON Schema cannot be used: schema is invalid: data\/type must be equal/],
    ['{$ref: "#/definitions/missing"}', /does not resolve in this schema/],
    ['{$ref: "http://127.0.0.1:9/schema.json"}', /other documents are not fetched/],
    ['{properties: {a: {pattern: "^(a+)+$"}}}', /could grow exponentially/],
  ] as const;
  for (const [text, message] of wrong)
    expect(await first(schema(text))).toMatchObject({
      message: expect.stringMatching(message),
      line: 5,
      path: expect.arrayContaining(['input', 'schema', 'document']),
    });
  expect((await first(schema('{properties: {a: {pattern: "^(a+)+$"}}}')))?.path).toEqual([
    ...['input', 'schema', 'document', 'properties', 'a', 'pattern'],
  ]);
  const listening = (type: string) => `${HEAD}do:\n- a: {listen: {to: {one: {with: {type: '${type}'}}}}}\n`;
  expect(await first(listening('(a+)+'))).toMatchObject({
    line: 3,
    path: ['do', 0, 'a', 'listen', 'to', 'one', 'with', 'type'],
    message: expect.stringContaining('could grow exponentially'),
  });
  expect(await issuesOf(listening('com\\.(acme|example)\\..*'))).toEqual([]);
  const inTask = `${HEAD}do:\n- a:\n    set: {x: 1}\n    output: {schema: {document: {type: nonsense}}}\n`;
  expect(await first(inTask)).toMatchObject({ line: 5, path: ['do', 0, 'a', 'output', 'schema', 'document'] });
  const recursive =
    '{type: object, properties: {next: {$ref: "#"}, other: {$ref: "#/$defs/a"}}, $defs: {a: {items: {$ref: "#"}}}}';
  expect(await issuesOf(schema(recursive))).toEqual([]);
});

test('stops a check that takes too long, and the next one succeeds', async () => {
  const hasty = createChecker({ timeLimitMs: 30 });
  const long = `${HEAD}do:\n${Array.from({ length: 9_000 }, (_, at) => `- s${at}: {set: {x: "\${ .a[${at}] }"}}`).join('\n')}`;
  const checked = await hasty.check(long);
  expect(checked).toMatchObject({ ok: false, issues: [{ message: 'it takes too long to check' }] });
  await hasty.close();
  await expect(hasty.check('a')).rejects.toThrow('not checked any more');
  const full = createChecker({ maxQueued: 1 });
  const both = [full.check('a: 1'), full.check('a: 1')];
  await expect(both[1]).rejects.toThrow('too many definitions');
  expect((await both[0])?.ok).toBe(false);
  await full.close();
});

test('compares versions in the thread within the time limit', async () => {
  const named = (name: string, text: string) => ({ name, text });
  expect(await checker.compare(named('a', 'x\ny\n'), named('b', 'x\nz\n'))).toBe(
    '--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n',
  );
  // A hunk with more lines than a function call can have arguments.
  const many = 'x\n'.repeat(300_000);
  expect((await checker.compare(named('a', ''), named('b', many)))?.length).toBeGreaterThan(many.length);
  const hasty = createChecker({ timeLimitMs: 20 });
  const lines = (modulus: number) =>
    Array.from({ length: 100_000 }, (_, at) => String((at * at * 31 + at) % modulus)).join('\n');
  expect(await hasty.compare(named('a', lines(7)), named('b', lines(11)))).toBeUndefined();
  await hasty.close();
});
