import { type Attacks, power } from './attack.ts';

/**
 * Attacks that end within some milliseconds, by themselves or at a limit. The value of the last expression is the
 * result of the step.
 */
export const SCRIPT_ATTACKS: Attacks = {
  // Calls without `await`: their responses arrive after the script has ended and must not reach another script.
  'calls-left': (random) =>
    `for (let i = 0; i < ${power(random, 0, 1, 2)}; i++) tools.files.list({ left: marker + i }); marker`,
  'calls-left-write': (random) =>
    `for (let i = 0; i < ${random.between(1, 8)}; i++) tools.files.write?.({ path: 'left' + i, content: marker }); marker`,
  'calls-left-then-throw': () => 'tools.files.list({}); throw new Error(marker);',
  'calls-left-endless': () =>
    'tools.files.list({}).then(function again() { return tools.files.list({}).then(again); }); marker',
  'write-then-read': () => `await tools.files.write?.({ path: 'own.txt', content: marker });
const read = await tools.files.read({ kind: 'output', path: 'own.txt' }).catch((error) => ({ content: marker, error: error.message }));
if (read.content !== marker) throw new Error('read ' + JSON.stringify(read));
marker`,
  'read-nothing':
    () => `const read = await tools.files.read({ path: 'nothing-' + marker }).catch((error) => error.message);
if (typeof read !== 'string') throw new Error('read ' + JSON.stringify(read));
marker`,
  'list-own': () =>
    'const files = await tools.files.list({ kind: "output" }); ({ marker, files: files.map?.(({ path }) => path) })',
  'calls-many-awaited': (random) =>
    `for (let i = 0; i < ${power(random, 1, 2)}; i++) await tools.files.list({}); marker`,
  'calls-at-once': (random) =>
    `(await Promise.allSettled(Array.from({ length: ${power(random, 1, 2, 3)} }, () => tools.files.list({})))).length`,
  'calls-unknown': () => '[typeof tools.nothing, await tools.files.nothing?.(), Object.keys(tools)]',
  'calls-odd-arguments': (random) =>
    `await Promise.allSettled([undefined, null, 1n, Symbol(), () => 1, new Proxy({}, {}), 'x'.repeat(${power(random, 3, 5, 7)}), { toJSON() { throw 1; } }, { path: '../../etc/passwd' }, { path: '\\u0000' }, { path: marker, kind: '__proto__' }].map((x) => { try { return tools.files.read(x); } catch (e) { return String(e); } }))`,
  'calls-replaced': () =>
    `JSON.stringify = () => '"forged"'; JSON.parse = () => 'forged'; Promise.prototype.then = () => 1; const r = await tools.files.list({}).catch(() => 0); marker`,
  'tools-rewritten': () =>
    'tools.files = new Proxy(tools.files, { get: () => () => marker }); await tools.files.read()',
  // Promises and generators.
  'promise-flood': (random) =>
    `let n = 0; for (let i = 0; i < ${power(random, 3, 4, 5)}; i++) Promise.resolve().then(() => n++); await 0; n`,
  'promise-never': () => 'await new Promise(() => {})',
  'promise-self': () => 'const p = (async () => { await 0; return p; })(); await p',
  thenable: () => 'await { then(a) { a({ then(b) { b({ then(c) { c(marker); } }); } }); } }',
  'thenable-result': () => '({ then(resolve) { resolve(marker); resolve(1); throw 2; } })',
  'async-recursion': (random) =>
    `const f = async (n) => (n === 0 ? 0 : 1 + (await f(n - 1))); await f(${power(random, 2, 3, 4)})`,
  'unhandled-rejections': (random) =>
    `for (let i = 0; i < ${power(random, 2, 4)}; i++) Promise.reject(new Error(marker)); marker`,
  'generator-return': () =>
    'function* g() { try { yield 1; } finally { while (false); yield 2; } } const i = g(); [i.next(), i.return(5), i.next(), i.throw?.name]',
  'generators-many': (random) =>
    `const all = []; for (let i = 0; i < ${power(random, 2, 4)}; i++) { const g = (function* () { yield* all; })(); all.push(g); } all.length`,
  'async-generator': () =>
    'let out = []; async function* g() { yield* [1, Promise.resolve(2)]; } for await (const x of g()) out.push(x); out',
  // Memory.
  'text-huge': (random) => `'x'.repeat(${power(random, 5, 7, 9)}).length`,
  'text-returned': (random) => `'x'.repeat(${power(random, 5, 6, 7)})`,
  'text-doubled': () => 'let s = marker; for (;;) s += s;',
  'array-huge': (random) => `new Array(${power(random, 5, 7, 9)}).fill(1).length`,
  'array-sparse': () => 'const a = []; a[4294967294] = 1; a.length',
  'array-joined': (random) => `Array(${power(random, 4, 6)}).join(marker).length`,
  'array-in-itself': () => 'const a = []; a.push(a); a',
  'typed-array': (random) => `new Float64Array(${power(random, 5, 7, 9)}).length`,
  'array-buffers': (random) =>
    `const all = []; try { for (;;) all.push(new ArrayBuffer(${power(random, 4, 6)})); } catch (e) { all.length = 0; } marker`,
  'buffer-resized': () => 'const b = new ArrayBuffer(8, { maxByteLength: 1e9 }); b.resize?.(1e9); b.byteLength',
  'buffer-shared': () => 'typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(1e9).byteLength : 0',
  'map-large': (random) => `const m = new Map(); for (let i = 0; i < ${power(random, 3, 5)}; i++) m.set(i, i); m.size`,
  'symbols-many': (random) => `for (let i = 0; i < ${power(random, 3, 5)}; i++) Symbol.for(marker + i); marker`,
  'closures-many': (random) =>
    `let f = () => 0; for (let i = 0; i < ${power(random, 3, 4)}; i++) { const g = f; f = () => g(); } try { f(); } catch (e) { e.name }`,
  weak: () =>
    'const w = new WeakRef({}); new FinalizationRegistry(() => { throw 1; }).register({}, 1); w.deref() !== undefined',
  // Stack.
  recursion: () => '(function f() { f(); })()',
  'recursion-caught': () => 'let n = 0; (function f() { n++; try { f(); } catch { f.x = n; } })(); marker',
  'recursion-by-getter': () => 'const o = { get a() { return this.a; } }; o.a',
  'recursion-by-proxy': () => 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.a',
  'recursion-by-tostring': () => '`${{ toString() { return `${this}`; } }}`',
  'recursion-by-sort': () => 'const f = () => [2, 1].sort(f); f()',
  'parse-deep': (random) => `JSON.parse('['.repeat(${power(random, 3, 5)}))`,
  'code-deep': (random) => `${'('.repeat(power(random, 2, 4))}1`,
  'code-deep-balanced': (random) => {
    const n = power(random, 2, 3, 4);
    return `${'['.repeat(n)}1${']'.repeat(n)}`;
  },
  'code-nested-functions': (random) => {
    const n = power(random, 1, 2);
    return `${'(() => '.repeat(n)}1${')()'.repeat(n)}`;
  },
  'code-long': (random) => Array.from({ length: power(random, 2, 4) }, (_, at) => `var v${at}=${at};`).join(''),
  'code-templates': (random) => {
    const n = power(random, 1, 2);
    return `${'`${'.repeat(n)}1${'}`'.repeat(n)}`;
  },
  'regex-deep': (random) => `new RegExp('('.repeat(${power(random, 2, 4)}) + ')'.repeat(9999))`,
  // Attempts to escape from the sandbox.
  'function-constructor': () =>
    '[Function("return this")() === globalThis, (async () => {}).constructor("return 1").name, eval("typeof process.binding")]',
  'constructor-of-tools': () => 'tools.files.list.constructor.constructor("return typeof require")()',
  globals: () =>
    '[typeof require, typeof module, typeof fetch, typeof WebAssembly, typeof setTimeout, typeof Deno, typeof process.exit, typeof std, typeof os]',
  imports: () => 'import("node:fs").catch((e) => e.name)',
  'imports-static': () => 'import fs from "node:fs"; fs',
  'prototype-pollution': () =>
    'Object.prototype.marker2 = marker; Array.prototype.polluted = marker; Object.prototype.toJSON = function () { return marker; }; ({ a: [1] })',
  'prototype-of-promise': () =>
    'Promise.prototype.then = function (f) { f(marker); }; Object.prototype.then = (f) => f(marker); ({})',
  'prototype-by-json': () => 'JSON.parse(\'{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}}}\')',
  'prototype-deleted': () =>
    'for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k]; } catch {} 1',
  'globals-frozen': () =>
    'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis); ({ marker })',
  'getters-thrown': () => 'throw { get name() { throw 1; }, get message() { throw 2; }, get stack() { throw 3; } }',
  'getters-endless-thrown': () => 'throw { get name() { return { toString() { return this + "" } } }, message: 1n }',
  'thrown-odd': (random) =>
    `throw ${random.pick(['null', 'undefined', 'Symbol("x")', '1n', '"x".repeat(1e6)', 'new Proxy({}, { get() { throw 1; } })', '{ name: "InternalError", message: "out of memory" }', '{ name: "InternalError", message: "interrupted" }'])}`,
  'thrown-large': (random) => `throw new Error('x'.repeat(${power(random, 4, 6, 7)}))`,
  'stack-forged': () => 'const e = new Error("a"); e.stack = "at script.js:999999"; throw e',
  'value-odd': (random) =>
    random.pick([
      'new Proxy([], { get: () => 1 })',
      '({ toJSON: () => undefined })',
      '({ get a() { throw new Error(marker); } })',
      'new Date(NaN)',
      '[,,1]',
      '-0',
      '"\\ud800"',
      '({ "\\ud800": 1 })',
      'Object.create(null)',
      '[1n]',
      '({ $secret: "name" })',
      '({ a: { $secret: "x" } })',
      '"${ .x }"',
      'new Array(3)',
    ]),
  proxies: () =>
    'const p = new Proxy(function () {}, { get: () => p, apply: () => p, construct: () => p, has: () => true, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true }) }); [p.a.b(), new p().c, { ...p }].length',
  'proxy-chain': (random) =>
    `let p = {}; for (let i = 0; i < ${power(random, 2, 4)}; i++) p = new Proxy(p, {}); try { p.a } catch (e) { e.name }`,
  // Logs.
  'console-large': (random) =>
    `console.log('x'.repeat(${power(random, 5, 6, 7)})); console.error({ a: 'y'.repeat(1e5) }); marker`,
  'console-odd': () =>
    'console.log(undefined, null, 1n, Symbol("x"), () => 1, new Proxy({}, { get() { throw 1; } }), "\\u0000\\ud800", globalThis); console.nothing?.(); marker',
  'console-forged': () => 'console.log("\\n{\\"level\\":60,\\"msg\\":\\"forged\\"}\\u001b[2J\\r"); marker',
  // Dates, regular expressions and numbers.
  dates: () =>
    '[1e20, NaN, -8.64e15, "x", "2026-13-99"].map((d) => { try { return new Date(d).toISOString(); } catch (e) { return e.name; } })',
  'date-locale': (random) =>
    `new Date(0).toLocaleString('x'.repeat(${power(random, 2, 4)}), { timeZone: 'Mars/Base' })`,
  'regex-bad': () =>
    '["(", "[", "(?<a>x)(?<a>y)", "\\\\k<b>", "x{2,1}", "\\\\u{110000}", "[b-a]"].map((p) => { try { return new RegExp(p, "u").source; } catch (e) { return e.name; } })',
  'regex-large-repeat': (random) => `/(?:a{${power(random, 2, 4)}}){${power(random, 2, 3)}}/.test('a')`,
  'regex-compiled-large': (random) => `new RegExp('(?:[a-z]{0,255}){0,255}'.repeat(${power(random, 1, 2)})).test('a')`,
  numbers: () =>
    '[0.1 + 0.2, 1e308 * 10, (1e21).toFixed(2), (25).toString(36), Number.MAX_SAFE_INTEGER + 2, parseInt("9".repeat(400))]',
  bigint: (random) => `(2n ** ${power(random, 3, 4)}n).toString().length`,
  'sort-inconsistent': () => 'Array.from({ length: 1000 }, (_, i) => i).sort(() => Math.random() - 0.5).length',
  'array-changed-in-sort': () =>
    'const a = [3, 2, 1]; a.sort(() => { a.length = 0; a.push(9, 9, 9, 9); return 1; }); a',
  'splice-in-iteration': () => 'const a = [1, 2, 3]; let n = 0; for (const x of a) { if (n++ < 1000) a.push(x); } n',
  'typed-array-detached': () =>
    'const t = new Uint8Array(8); try { t.buffer.transfer?.(); t[0] = 1; t.fill(2); } catch (e) { e.name }',
  'array-species': () =>
    'class A extends Array { static get [Symbol.species]() { return function () { return {}; }; } } try { new A(1, 2, 3).map((x) => x); } catch (e) { e.name }',
  'to-primitive': () => 'const o = { [Symbol.toPrimitive]: () => ({}) }; try { +o; } catch (e) { e.name }',
  'with-and-octal': () => 'with ({ a: 1 }) { a + 010; }',
  'strict-error': () => '"use strict"; undeclared = 1;',
  'top-return': () => 'if (true) return marker; await 1;',
  'await-in-function': () => 'function f() { await 1; } f()',
  'closing-brace': () => 'return 1; })(); (async () => { marker',
  'html-comment': () => '<!-- a\nmarker\n--> b',
  hashbang: () => '#!/usr/bin/env node\nmarker',
  nothing: (random) => random.pick(['', ' ', ';', '//', '/*', '{}', '0', '\u0000', '\ufeff1', '\u2028']),
};

/** Attacks that are expected to run until a limit ends them. */
export const SLOW_SCRIPT_ATTACKS: Attacks = {
  'recursion-by-json': () => 'JSON.stringify({ toJSON() { return { a: this }; } })',
  'memory-caught': (random) =>
    `let kept = []; for (let i = 0; i < ${random.between(1, 4)}; i++) { try { for (;;) kept.push('x'.repeat(1e5) + i); } catch (e) { kept = []; } } marker`,
  'memory-caught-in-catch': () =>
    'let a = []; function grow() { try { for (;;) a.push({ a }); } catch (e) { a = a.slice(0, 9); } } grow(); grow(); marker',
  'memory-then-call': () =>
    'let a = []; try { for (;;) a.push(new Array(1e4)); } catch (e) {} await tools.files.list({}).catch(() => 0); marker',
  'objects-nested': (random) => `let o = {}; for (let i = 0; i < ${power(random, 3, 5)}; i++) o = { o }; o`,
  'arrays-nested': (random) => `let o = 1; for (let i = 0; i < ${power(random, 2, 3, 5)}; i++) o = [o]; o`,
  'value-doubled': (random) => `let v = 1; for (let i = 0; i < ${random.between(10, 22)}; i++) v = [v, v]; v`,
  'array-sparse-returned': (random) => `const a = []; a[${power(random, 5, 7, 9)}] = 1; a`,
  'console-flood': (random) => `for (let i = 0; i < ${power(random, 3, 4)}; i++) console.log(marker, i); marker`,
  loop: () => 'for (;;);',
  'loop-caught': () => 'for (;;) { try { for (;;); } catch {} finally { for (;;); } }',
  'loop-in-getter': () => 'throw { get message() { for (;;); } }',
  'loop-in-tojson': () => '({ toJSON() { for (;;); } })',
  'loop-in-then': () => 'Promise.resolve().then(() => { for (;;); }); await 1; marker',
  'loop-of-promises': () =>
    '(function again() { return Promise.resolve().then(again); })(); await new Promise(() => {})',
  'loop-of-awaits': () => 'for (;;) await 0;',
  'loop-of-calls': () => 'for (;;) await tools.files.list({}).catch(() => 0);',
  'loop-left-behind': () => '(async () => { for (;;) await tools.files.list({}).catch(() => 0); })(); marker',
  'generator-endless': () => '[...(function* () { for (;;) yield 1; })()]',
  'proxy-endless': () => 'for (const k in new Proxy({}, { ownKeys: () => { for (;;); } }));',
  'regex-backtracking': (random) => `/^(a+)+$/.test('a'.repeat(${random.between(28, 60)}) + 'X')`,
  'regex-backtracking-nested': () => '/^(([a-z])+.)+[A-Z]([a-z])+$/.test("a".repeat(60))',
  'regex-replace': () => '"ab".repeat(1e6).replace(/(a|ab)*c/g, "").length',
  'sort-endless': () => '[1, 2, 3].sort(() => { for (;;); })',
  'text-compare': () => 'const a = "x".repeat(1e7), b = "x".repeat(1e7); let n = 0; for (;;) n += a === b ? 1 : 0;',
  'text-index': () => '"a".repeat(8e6).indexOf("a".repeat(4e6) + "b")',
  'bigint-power': () => '(3n ** 5000000n).toString().length',
  'bigint-divided': () => '((10n ** 1000000n) / (7n ** 500000n)).toString().length',
  'sparse-sort': () => 'const a = []; a.length = 4294967295; a.sort(); a.length',
  'sparse-reverse': () => 'const a = []; a.length = 4294967295; a.reverse().length',
  'typed-array-sort': () => 'new Float64Array(3e6).map(Math.random).sort().length',
  'json-large': () => 'let s = "[" + "1,".repeat(4e6) + "1]"; JSON.parse(s).length',
  'console-endless': () => 'for (;;) console.log(marker);',
  'throw-endless': () => 'let n = 0; for (;;) { try { throw new Error(n++); } catch {} }',
  'memory-endless': () => 'for (;;) { let a = []; try { for (;;) a.push(new Array(1e3).fill(a)); } catch { a = []; } }',
  'symbol-iterator': () => 'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; }; [...[1]]',
};
