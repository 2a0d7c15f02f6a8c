import type { SeededRandom } from '#test/support/seeded-random.ts';
import { templatesOf } from './attack.ts';
import type { Template } from './case.ts';
import { mutateText } from './mutate.ts';
import { SCRIPT_ATTACKS, SLOW_SCRIPT_ATTACKS } from './script-attacks.ts';

/**
 * Templates of JavaScript for the sandbox: small programs, mutations of these, and attacks. Scripts can read `input`,
 * `marker` and `tools`.
 */
export const SCRIPTS: readonly Template[] = [
  { name: 'script/program', make: (random) => ({ text: program(random) }) },
  { name: 'script/mutated', make: (random) => ({ text: mutateText(program(random), random) }) },
  {
    name: 'script/mutated-attack',
    make: (random) => ({ text: mutateText(random.pick(Object.values(SCRIPT_ATTACKS))(random), random) }),
  },
  ...templatesOf('script', SCRIPT_ATTACKS, { slow: false }),
  ...templatesOf('script', SLOW_SCRIPT_ATTACKS, { slow: true }),
];

const STATEMENTS = [
  (n: number) => `let v${n} = ${n}; v${n} *= 2;`,
  (n: number) => `const l${n} = Array.from({ length: ${n} }, (_, i) => i).filter((x) => x % 2);`,
  (n: number) => `const m${n} = new Map([[${n}, 'a']]); m${n}.set('k', m${n});`,
  (n: number) => `function f${n}(x) { return x <= 0 ? 0 : 1 + f${n}(x - 1); } f${n}(${n});`,
  (n: number) => `console.log('line', ${n}, { n: ${n} });`,
  (n: number) => `class C${n} { #p = ${n}; get p() { return this.#p; } static s = new C${n}().p; }`,
  (n: number) => `const g${n} = function* () { for (let i = 0; i < ${n}; i++) yield i; }; [...g${n}()];`,
  (n: number) => `await Promise.all([1, 2, ${n}].map(async (x) => x * 2));`,
  (n: number) => `try { null.x${n}; } catch (e) { console.warn(e.message); } finally { ${n}; }`,
  (n: number) => `const { a${n} = ${n}, ...r${n} } = JSON.parse('{"b":${n}}');`,
  (n: number) => `'x'.repeat(${n}).replace(/x/g, () => 'y');`,
  (n: number) => `new Uint8Array(${n}).fill(${n % 256}).reduce((a, b) => a + b, 0);`,
  (n: number) =>
    `label${n}: for (const i of [1, 2, 3]) { for (;;) { if (i > 1) break label${n}; continue label${n}; } }`,
  (n: number) => `new Date(${n}).toISOString(); Intl?.DateTimeFormat;`,
  (n: number) => `BigInt(${n}) ** 20n;`,
  () => 'await tools.files.list({});',
  () => 'tools.files.list({}).then(() => {});',
] as const;
const ENDS = [
  'marker',
  '({ marker, input })',
  '[marker, 1]',
  'undefined',
  'return { marker };',
  'throw new Error(marker);',
  'await (async () => marker)()',
  'Symbol("a")',
  '() => 1',
  '1n',
  'NaN',
  'new Map()',
  'globalThis',
];

function program(random: SeededRandom): string {
  const statements = Array.from({ length: random.between(0, 8) }, (_, at) =>
    random.pick(STATEMENTS)(at * 7 + random.between(0, 6)),
  );
  return [...statements, random.pick(ENDS)].join(random.pick(['\n', '\n', ' ; ']));
}
