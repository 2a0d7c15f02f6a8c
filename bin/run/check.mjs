import { runPinned } from './child.mjs';

/** The TypeScript client and the web console by their own rules: they know browsers and no Node. */
const PROJECTS = [
  '.',
  'api/clients/typescript/tsconfig.json',
  'api/clients/typescript/tsconfig.node.json',
  'dashboards/console/tsconfig.json',
];
const LINT = ['node_modules/@biomejs/biome/bin/biome'];

/** Types, then lint, format and import arrows. Both are always run, so that one round shows everything. */
export async function checkAll() {
  let types = 0;
  for (const project of PROJECTS)
    types += await runPinned(['node_modules/typescript/bin/tsc', '--noEmit', '-p', project]);
  const lint = await runPinned([...LINT, 'ci', ...(process.stderr.isTTY ? [] : ['--colors=off']), '.']);
  return { types: types === 0, lint: lint === 0 };
}

export async function runCheck() {
  const { types, lint } = await checkAll();
  process.stderr.write(`trapline: types ${types ? 'fine' : 'FAILED'}, lint and format ${lint ? 'fine' : 'FAILED'}\n`);
  return types && lint ? 0 : 1;
}

export async function runFormat(args) {
  return runPinned([...LINT, 'check', '--write', ...(args.length > 0 ? args : ['.'])]);
}
