import { type Attacks, each, power } from './attack.ts';
import { flow, RAISE, tasks, within } from './definition-text.ts';

const LISTENED = [
  '{ any: [] }',
  '{ all: [] }',
  '{ one: { with: {} } }',
  '{ any: [ { with: { type: "${ .* }" } } ], until: "true" }',
  '{ one: { with: { data: "${ true }" }, correlate: { a: { from: .x, expect: "${ .n }" } } } }',
  `{ all: [ ${each(100, (at) => `{ with: { type: t${at} } }`)} ] }`,
];
const SCHEDULES = [
  'every: { seconds: 1 }',
  'every: { milliseconds: 1 }',
  'every: P99999999W',
  'cron: "* * * * * *"',
  'cron: "0 0 31 2 *"',
  'cron: "99 * * * *"',
  'cron: "*/0 * * * *"',
  `cron: "${'1,'.repeat(3_000)}1 * * * *"`,
  'cron: "@yearly"',
  'cron: "59 23 29 2 MON"',
  'after: { seconds: 0 }',
  'after: { seconds: 1 }',
  'on: { any: [] }',
  'on: { all: [ { with: { type: a }, correlate: { x: { from: .x } } } ] }',
];
const TIMES = ['{ milliseconds: 0 }', 'PT0S', '{ days: 9999999999 }', 'P99999999999W', '"${ .n }"', '{ seconds: -1 }'];
const ADDRESSES = [
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
  'http://[::1]/',
  'http://0x7f000001/',
  '${ .s }',
  'gopher://x',
  'http://user:pw@localhost/',
];
const NAMES = ['', '../etc', 'no-such', '${ null }', '${ .n }', 'executions'];
const FUNCTIONS = ['trapline.detection.list', 'trapline.event.list', 'trapline.scraper.call', 'constructor'];
const ARGUMENTS = [
  '{ "a b": 1 }',
  '{ class: 1 }',
  '{ constructor: 1 }',
  '{ undefined: 1 }',
  '"${ .n }"',
  '{ m: "${ . }" }',
];
const quoted = (texts: readonly string[], pick: (texts: readonly string[]) => string) => JSON.stringify(pick(texts));

/** Attacks by events, clocks, errors, other workflows and calls. */
export const EVENT_ATTACKS: Attacks = {
  'raise-large': (random) =>
    flow(
      `{ r: { raise: { error: { type: "https://example.org/x", status: 500, title: ${'T'.repeat(power(random, 2, 4))}, detail: "\${ tojson }" } } } }`,
    ),
  'raise-odd': (random) => {
    const type = quoted(['', 'not a uri', '${ .s }'], random.pick);
    return flow(
      `{ r: { raise: { error: { type: ${type}, status: ${random.pick(['0', '-1', '99999', '"500"'])} } } } }`,
    );
  },
  'retry-many': (random) =>
    flow(
      `{ t: { try: [ { r: ${RAISE} } ], catch: { retry: { delay: { milliseconds: 0 }, limit: { attempt: { count: ${power(random, 1, 2)} } } } } } }`,
    ),
  'retry-odd': (random) =>
    flow(
      `{ t: { try: [ { r: ${RAISE} } ], catch: { retry: { delay: { milliseconds: ${random.between(-1, 1)} }, backoff: { exponential: {} }, jitter: { from: { seconds: 2 }, to: { milliseconds: 1 } }, limit: { duration: { milliseconds: 50 } } } } } }`,
      within('PT2S'),
    ),
  'timeout-odd': (random) =>
    flow(`{ t: { wait: { milliseconds: 1 }, timeout: { after: ${random.pick(TIMES)} } } }`, within('PT2S')),
  'wait-odd': (random) => flow(`{ t: { wait: ${random.pick(TIMES)} } }`, within('{ milliseconds: 300 }')),
  'listen-odd': (random) =>
    flow(
      `{ l: { listen: { to: ${random.pick(LISTENED)} }, timeout: { after: { milliseconds: 50 } } } }`,
      within('PT2S'),
    ),
  'listen-patterns': () =>
    flow(
      `{ l: { listen: { to: { any: [ ${['(a+)+$', '(', '[', '\\', '(?<a>.)\\k<a>'].map((type) => `{ with: { type: ${JSON.stringify(type)} } }`).join(', ')} ] } }, timeout: { after: { milliseconds: 50 } } } }`,
    ),
  'emit-many': (random) => emitted(power(random, 1, 2)),
  'emit-odd': (random) => {
    const id = quoted(['', 'x'.repeat(5_000), '${ .n }', '\u0001'], random.pick);
    return flow(
      `{ e: { emit: { event: { with: { id: ${id}, type: "\${ .s }", source: "\${ . }", time: yesterday, EXTRA: { a: 1 } } } } } }`,
    );
  },
  'self-triggering': () =>
    flow(
      '{ e: { emit: { event: { with: { type: fuzz.self, source: "urn:fuzz", data: 1 } } } } }',
      'schedule: { on: { one: { with: { type: fuzz.self } } } }\n',
    ),
  schedules: (random) => flow('{ s: { set: { a: 1 } } }', `schedule: { ${random.pick(SCHEDULES)} }\n`),
  'sub-workflow-itself': (random) =>
    flow(
      `{ w: { run: { workflow: { namespace: fuzz, name: lane-${random.between(0, 3)}-${random.pick(['alice', 'bob'])}, version: latest }, await: ${random.next() < 0.5} } } }`,
      within('PT3S'),
    ),
  'sub-workflow-odd': (random) =>
    flow(`{ w: { run: { workflow: { namespace: x, name: ${quoted(NAMES, random.pick)}, version: "\${ [] }" } } } }`),
  'calls-outside': (random) =>
    flow(`{ h: { call: http, with: { method: GET, endpoint: ${quoted(ADDRESSES, random.pick)} } } }`, within('PT4S')),
  'functions-of-the-product': (random) =>
    flow(`{ c: { call: ${random.pick(FUNCTIONS)}, with: { limit: -1, id: ../, filter: "' OR 1=1" } } }`),
  'scripts-odd': (random) =>
    flow(
      `{ r: { run: { script: { language: ${random.pick(['js', 'JavaScript', 'python'])}, code: "1", arguments: ${random.pick(ARGUMENTS)}, environment: { "A=B": 1, PATH: "\${ . }" } } } } }`,
    ),
};

/** Attacks of the same kinds that cause the service a lot of work. */
export const SLOW_EVENT_ATTACKS: Attacks = {
  'emit-flood': () => emitted(2_000),
  'sub-workflows-many': () =>
    flow(
      `{ f: { fork: { branches: [ ${tasks(60, () => '{ run: { workflow: { namespace: fuzz, name: "${ \\"no-such\\" }", version: latest } } }')} ] } } }`,
    ),
};

function emitted(count: number): string {
  return flow(
    `{ f: { for: { each: x, in: "[range(${count})]" }, do: [ { e: { emit: { event: { with: { type: fuzz.flood, source: "urn:fuzz", data: "\${ $x }" } } } } } ] } }`,
    within('PT8S'),
  );
}
