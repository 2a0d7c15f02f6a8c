import { type Attacks, each, power } from './attack.ts';
import { flow, nestedTasks, RAISE, tasks, within } from './definition-text.ts';

/**
 * Attacks by the structure of tasks and by the values that tasks build. They end early: by themselves or at a limit.
 */
export const TASK_ATTACKS: Attacks = {
  'tasks-many': (random) => flow(tasks(power(random, 2, 3), (at) => `{ set: { n: ${at} } }`)),
  'names-large': (random) => flow(`{ ${'n'.repeat(power(random, 2, 4))}: { set: { a: 1 } } }`),
  'names-odd': (random) => {
    const names = ['', ' ', '/', '~1', '.', '__proto__', 'constructor', '\n', 'do', '0', '${ .n }', '| data |'];
    return flow(`{ ${JSON.stringify(random.pick(names))}: { set: { a: 1 } } }`);
  },
  'then-loop': () =>
    flow('{ a: { set: { n: 1 }, then: b } }, { b: { set: { n: 2 }, then: c } }, { c: { set: { n: 3 } } }'),
  'then-nowhere': () => flow('{ a: { set: { n: 1 }, then: constructor } }'),
  'nested-do': (random) => flow(nestedTasks(random.between(10, 48), (inner) => `{ do: [${inner}] }`)),
  'nested-try': (random) =>
    flow(nestedTasks(random.between(3, 11), (inner) => `{ try: [${inner}], catch: { do: [${inner}] } }`)),
  'nested-fork': (random) =>
    flow(nestedTasks(random.between(2, 7), (inner) => `{ fork: { branches: [${inner}, { o: { do: [${inner}] } }] } }`)),
  'nested-for': (random) => {
    const turns = random.between(2, 6);
    return flow(
      nestedTasks(random.between(2, 4), (inner) => `{ for: { each: x, in: "[range(${turns})]" }, do: [${inner}] }`),
    );
  },
  'for-list': (random) =>
    flow(
      `{ f: { for: { each: x, in: "[range(${power(random, 2, 3)})]" }, do: [ { s: { set: { x: "\${ $x }" } } } ] } }`,
    ),
  'for-nothing': () => flow('{ f: { for: { each: x, in: "[range(100000)]" }, do: [] } }'),
  'for-names': () =>
    flow(
      '{ f: { for: { each: input, at: context, in: "[1,2]" }, do: [ { s: { set: { a: "${ $input }", b: "${ $context }" } } } ] } }',
    ),
  'fork-wide': (random) =>
    flow(`{ f: { fork: { branches: [ ${tasks(power(random, 1, 2), () => '{ set: { a: "${ .n }" } }')} ] } } }`),
  'fork-compete': (random) =>
    flow(
      `{ f: { fork: { compete: true, branches: [ ${tasks(random.between(2, 30), (at) => `{ wait: { milliseconds: ${at} } }`)} ] } } }`,
    ),
  'recursive-function': () =>
    flow('{ a: { call: again, with: {} } }', 'use: { functions: { again: { call: again, with: {} } } }\n'),
  'recursive-functions': () =>
    flow(
      '{ a: { call: f, with: {} } }',
      'use: { functions: { f: { do: [ { x: { call: g } }, { y: { call: g } } ] }, g: { do: [ { x: { call: f } }, { y: { call: f } } ] } } }\n',
    ),
  'doubling-functions': (random) => {
    const levels = random.between(3, 9);
    const last = '{ set: { a: 1 } }';
    const functions = each(
      levels,
      (at) =>
        `f${at}: ${at === levels - 1 ? last : `{ do: [ { x: { call: f${at + 1} } }, { y: { call: f${at + 1} } } ] }`}`,
    );
    return flow('{ a: { call: f0, with: {} } }', `use: { functions: { ${functions} } }\n`);
  },
  'set-doubled': (random) =>
    flow(
      tasks(random.between(3, 14), (at) =>
        at === 0 ? `{ set: { a: ${'x'.repeat(64)} } }` : '{ set: { a: "${ .a }", b: "${ . }", c: "${ . }" } }',
      ),
    ),
  'set-wide': (random) => flow(`{ s: { set: { ${each(power(random, 1, 3), (at) => `k${at}: "\${ . }"`)} } } }`),
  'set-text-doubled': (random) =>
    flow(tasks(random.between(3, 12), (at) => `{ set: { a: "${at === 0 ? 'xxxxxxxx' : '${ .a }${ .a }'}" } }`)),
  'export-doubled': (random) =>
    flow(
      tasks(random.between(3, 12), () => '{ set: { a: x }, export: { as: "${ {p: $context, q: $context, s: .} }" } }'),
    ),
  'workflow-of-itself': () =>
    flow(
      tasks(
        3,
        () => '{ set: { a: "${ $workflow }" }, output: { as: "${ {o: ., w: $workflow.definition, t: $task} }" } }',
      ),
    ),
  'templates-odd': (random) => {
    const texts = ['${', '${ }', '${ . } }', '${ "}" }', '$${ . }', '${${ . }}', '${ # }', '${ . # }\n}', '} ${'];
    return flow(`{ s: { set: { a: ${JSON.stringify(random.pick(texts))} } } }`);
  },
  'templates-open': (random) => flow(`{ s: { set: { a: "${'${]'.repeat(power(random, 1, 3))}" } } }`),
  'metadata-large': (random) =>
    flow(`{ s: { set: { a: 1 }, metadata: { m: ${'x'.repeat(power(random, 3, 5))}, t: "${'${'.repeat(500)}" } } }`),
  'secrets-undeclared': () =>
    flow('{ s: { set: { a: "${ $secrets.nothing }", b: "${ $secrets }" } } }', 'use: { secrets: [ nothing, "" ] }\n'),
  'expressions-many': (random) =>
    flow(`{ s: { set: { ${each(power(random, 2, 3), (at) => `k${at}: "\${ .n + ${at} }"`)} } } }`),
  'expressions-wrong': (random) => {
    const wrong = () => (random.next() < 0.5 ? '"${ ) }"' : '"${ 1 }"');
    return flow(`{ s: { set: { ${each(random.between(2, 200), (at) => `k${at}: ${wrong()}`)} } } }`);
  },
};

/** Attacks of the same kinds that run until they reach a limit of time, steps or size. */
export const SLOW_TASK_ATTACKS: Attacks = {
  'then-endless': () =>
    flow('{ a: { set: { n: 1 }, then: b } }, { b: { set: { n: 2 }, then: a } }', within('{ seconds: 3 }')),
  'for-endless': () =>
    flow('{ f: { for: { each: x, in: "[range(200000)]" }, do: [ { s: { set: { x: 1 } } } ] } }', within('PT3S')),
  'for-nested-endless': () =>
    flow(
      nestedTasks(4, (inner) => `{ for: { each: x, in: "[range(100)]" }, do: [${inner}] }`),
      within('PT3S'),
    ),
  'fork-explosion': () => {
    const inner = tasks(3, () => '{ wait: { milliseconds: 1 } }');
    return flow(
      `{ f: { fork: { branches: [ ${tasks(2_000, () => `{ fork: { branches: [ ${inner} ] } }`)} ] } } }`,
      within('PT5S'),
    );
  },
  'fork-of-large': () =>
    flow(
      `{ a: { set: { a: ${'x'.repeat(200_000)} } } }, { f: { fork: { branches: [ ${tasks(500, () => '{ set: { b: "${ . }" } }')} ] } } }`,
    ),
  'set-doubled-far': (random) =>
    flow(
      tasks(random.between(24, 34), (at) => (at === 0 ? '{ set: { a: x } }' : '{ set: { a: "${ . }", b: "${ . }" } }')),
    ),
  'set-text-doubled-far': (random) =>
    flow(tasks(random.between(22, 30), (at) => `{ set: { a: "${at === 0 ? 'xxxxxxxx' : '${ .a }${ .a }'}" } }`)),
  // Builds a value of 10^10 characters in a few lines.
  'set-tenfold': () =>
    flow(
      tasks(8, (at) =>
        at === 0 ? `{ set: { a: ${'x'.repeat(1_000)} } }` : `{ set: { ${each(10, (key) => `k${key}: "\${ . }"`)} } }`,
      ),
    ),
  'for-growing': () =>
    flow(
      `{ s: { set: { a: ${'x'.repeat(100_000)} } } }, { f: { for: { each: x, in: "[range(3000)]" }, do: [ { s: { set: { a: "\${ .a }", b: "\${ . }" } } } ] } }`,
      within('PT5S'),
    ),
  'steps-large': () =>
    flow(
      `{ s: { set: { a: ${'x'.repeat(240_000)} } } }, { f: { for: { each: x, in: "[range(400)]" }, do: [ { s: { set: "\${ . }" } } ] } }`,
      within('PT8S'),
    ),
  'export-doubled-far': () =>
    flow(tasks(30, () => '{ set: { a: x }, export: { as: { p: "${ $context }", q: "${ $context }" } } }')),
  'tasks-most': () => flow(tasks(9_999, (at) => `{ set: { n: ${at} } }`)),
  'tasks-too-many': () => flow(tasks(11_000, (at) => `{ set: { n: ${at} } }`)),
  // No check evaluates the expressions in `title`.
  'templates-open-unchecked': (random) =>
    flow(`{ s: { set: { title: "${'${]'.repeat(random.pick([20_000, 60_000, 200_000]))}" } } }`),
  'templates-open-checked': () => flow(`{ s: { set: { a: "${'${]'.repeat(200_000)}" } } }`),
  'shape-wrong-wide': () => flow(tasks(3_000, () => '{ unknown: { a: 1 }, fork: 3 }')),
  'shape-wrong-deep': () => flow(nestedTasks(46, (inner) => `{ do: [${inner}], unknown: 1 }`)),
  'expressions-large': () =>
    flow(`{ s: { set: { ${each(60, (at) => `k${at}: "\${ ${'1+'.repeat(7_500)}${at} }"`)} } } }`),
  'retry-endless': () =>
    flow(`{ t: { try: [ { r: ${RAISE} } ], catch: { retry: { delay: { milliseconds: 0 } } } } }`, within('PT3S')),
  'scripts-wide': () =>
    flow(
      `{ f: { fork: { branches: [ ${tasks(60, (at) => `{ run: { script: { language: js, code: "${at}" } } }`)} ] } } }`,
    ),
};
