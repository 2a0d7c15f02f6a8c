import { runPinned } from './child.mjs';

/** The TypeScript client and the web console have their own configurations: they target browsers, not Node. */
const PROJECTS = [
  '.',
  'api/clients/typescript/tsconfig.json',
  'api/clients/typescript/tsconfig.node.json',
  'dashboards/console/tsconfig.json',
];
// Several checkers of one project each check the shared types. With one checker, all projects together take two thirds
// of the CPU time.
const TYPES = ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '-p'];
// The compiler is a Go program that keeps almost all memory that it allocates (2.1 GiB). Garbage collection would take
// up to a third more CPU time. The limit is for projects that would need much more.
const COLLECT_RARELY = { GOGC: 'off', GOMEMLIMIT: '3GiB' };
const LINT = ['node_modules/@biomejs/biome/bin/biome'];

/**
 * Runs all checks: types; lint and format; import directions; language; length of functions; names and lengths of
 * files; console texts; unused code; dependencies. All checks run even if one fails, so one run reports every problem.
 */
export async function checkAll() {
  const lint = runPinned([...LINT, 'ci', ...(process.stderr.isTTY ? [] : ['--colors=off']), '.']);
  const dependencies = runPinned(['bin/supply-chain/main.ts']);
  const imports = runPinned(['bin/imports/main.ts']);
  const language = runPinned(['bin/language/main.ts']);
  const length = runPinned(['bin/length/main.ts']);
  const structure = runPinned(['bin/structure/main.ts']);
  const consoleText = runPinned(['bin/console-text/main.ts']);
  const unused = runPinned(['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints']);
  const types = PROJECTS.map((project) => runPinned([...TYPES, project], { env: COLLECT_RARELY }));
  const wrong = await Promise.all(types);
  return {
    types: wrong.every((code) => code === 0),
    lint: (await lint) === 0,
    imports: (await imports) === 0,
    language: (await language) === 0,
    length: (await length) === 0,
    structure: (await structure) === 0,
    consoleText: (await consoleText) === 0,
    unused: (await unused) === 0,
    dependencies: (await dependencies) === 0,
  };
}

/**
 * Returns one line with the result of each check.
 * @param {Awaited<ReturnType<typeof checkAll>>} results
 */
export function verdictOf({ types, lint, imports, language, length, structure, consoleText, unused, dependencies }) {
  const word = (fine) => (fine ? 'fine' : 'FAILED');
  return (
    `types ${word(types)}, lint and format ${word(lint)}, imports ${word(imports)}, language ${word(language)}, length ${word(length)}, ` +
    `structure ${word(structure)}, console texts ${word(consoleText)}, unused code ${word(unused)}, dependencies ${word(dependencies)}`
  );
}

export async function runCheck() {
  const results = await checkAll();
  process.stderr.write(`trapline: ${verdictOf(results)}\n`);
  return Object.values(results).every((fine) => fine) ? 0 : 1;
}

export async function runFormat(args) {
  return runPinned([...LINT, 'check', '--write', ...(args.length > 0 ? args : ['.'])]);
}
