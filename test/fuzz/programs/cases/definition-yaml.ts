import { type Attacks, each, power } from './attack.ts';
import { flow, HEAD, tasks } from './definition-text.ts';

/** Attacks on the YAML parser. */
export const YAML_ATTACKS: Attacks = {
  aliases: (random) => {
    const levels = each(
      random.between(2, 12),
      (at) => `b${at}: &b${at} [${each(9, () => (at === 0 ? '*a' : `*b${at - 1}`))}]`,
      '\n',
    );
    return `${HEAD}a: &a [x,x,x,x,x,x,x,x,x]\n${levels}\ndo: []`;
  },
  'aliases-few': (random) =>
    flow(
      tasks(random.between(2, 99), () => '{ set: { v: *x } }'),
      `x: &x ${'y'.repeat(power(random, 2, 4))}\n`,
    ),
  'alias-of-itself': () => `${HEAD}do: &a [ { t: { set: { v: *a } } } ]`,
  'alias-of-nothing': () => `${HEAD}do: *nothing`,
  'merge-keys': () => flow('{ t: { set: { <<: *a, <<: [*a, *a] } } }', 'a: &a { b: 1 }\n'),
  tags: (random) => {
    const tag = random.pick(['binary', 'js/function', 'timestamp', 'set', 'omap', 'python/object:os.system', 'int']);
    const value = random.pick(['YWJj', '"x"', '{ a: 1 }', '[1]', '2026-03-01', 'function () {}']);
    return flow(`{ t: { set: { v: !!${tag} ${value} } } }`);
  },
  'flow-deep': (random) => `${HEAD}do: ${'['.repeat(power(random, 2, 3, 4))}`,
  'flow-deep-balanced': (random) => {
    const levels = power(random, 1, 2, 3);
    return flow('', `x: ${'['.repeat(levels)}${']'.repeat(levels)}\n`);
  },
  'block-deep': (random) => flow('', `x:\n${'- '.repeat(power(random, 2, 3))}1\n`),
  'keys-deep': (random) => HEAD + each(random.between(50, 500), (at) => `${' '.repeat(at)}k:\n`, ''),
  'question-marks': (random) => `${HEAD}${'? '.repeat(power(random, 2, 3))}a\n`,
  'keys-doubled': () => `${HEAD}do: []\ndo: []\n`,
  'keys-not-text': () => flow('{ [1, 2]: { set: {} }, ? { a: 1 } : 2, null: 3 }'),
  'keys-of-prototype': () => flow('{ t: { set: { __proto__: { a: 1 }, constructor: { prototype: 1 } } } }'),
  'scalar-large': (random) => flow(`{ t: { set: { v: "${'x'.repeat(power(random, 4, 5))}" } } }`),
  'scalar-block': (random) =>
    `${HEAD}do:\n  - t:\n      set:\n        v: |\n${`          ${'y'.repeat(70)}\n`.repeat(power(random, 1, 3))}`,
  'documents-many': (random) => '--- {}\n'.repeat(power(random, 1, 3)),
  directives: (random) => `%YAML 9.9\n%TAG ! tag:x,2000:\n${'%FOO bar\n'.repeat(power(random, 1, 3))}---\n{}`,
  comments: (random) => flow('', '# comment\n'.repeat(power(random, 2, 4))),
  'odd-characters': (random) => {
    const text = random.pick(['\\u0000', '\\ud800', '\\x07', '\\U0010FFFF', '\u2028', '\ufeff', '\\N', '\\/']);
    return flow(`{ t: { set: { v: "${text}" } } }`);
  },
  numbers: () =>
    flow('{ t: { set: { a: 1e999, b: .inf, c: .nan, d: 0x7fffffffffffffff, e: 123456789012345678901, f: -0 } } }'),
  nothing: (random) =>
    random.pick(
      ['', ' ', '\n', 'null', '[]', '{}', '"', '---', '...', '&a', '*a', '!', '|', '>', '%', '@', '\0', '\t'].concat([
        'a: b: c',
        '- a\nb',
        '{',
        '}',
        '[1',
        '"\\',
      ]),
    ),
};

/** Attacks on the YAML parser that take long to parse. */
export const SLOW_YAML_ATTACKS: Attacks = {
  'yaml-lines': () => `${HEAD}do:\n${'  - t: { set: { a: 1 } }\n'.repeat(30_000)}`,
  'yaml-anchors': () => flow('', `x:\n${each(20_000, (at) => `  - &a${at} 1\n`, '')}`),
  'yaml-quotes': () => `${HEAD}x: ${'"\\x41'.repeat(100_000)}`,
  'yaml-spaces': () => `${HEAD}x: a${' '.repeat(900_000)}b\n`,
  'yaml-commas': () => `${HEAD}x: [${','.repeat(500_000)}]`,
  'yaml-colons': () => `${HEAD}x: ${'a:'.repeat(300_000)}`,
  'yaml-indents': () => `${HEAD}x: |\n${each(900, (at) => `${' '.repeat(at)}a\n`, '')}`,
  'yaml-keys': () => flow(`{ s: { set: { ${each(60_000, (at) => `k${at}: ${at}`)} } } }`),
  'yaml-scalar': () => flow(`{ s: { set: { a: ${'x'.repeat(1_000_000)} } } }`),
};
