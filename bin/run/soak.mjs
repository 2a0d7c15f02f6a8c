import { runPinned } from './child.mjs';

/** Programs of `npm run soak` by the value of `--of`: the file in `test/invariants/`, and its options. */
const PROGRAMS = {
  pipeline: ['soak.ts', '[--runs 200] [--seed 1]'],
  executions: ['executions-soak.ts', '[--runs 200] [--seed 1]'],
  replicas: ['replicas-soak.ts', '[--runs 50] [--seed 1] [--shards 3]'],
  cluster: [
    'cluster/main.ts',
    '[--runs 5] [--seed 1] [--rounds 1] [--faults 10] [--kinds LIST] [--shape full] [--minutes 60] [--record FILE] [--sum FILE]',
  ],
  upgrade: ['upgrade-soak.ts', '[--requests 60] [--seed 1]'],
  variants: ['variants-soak.ts', '[--runs 2000] [--seed 1] [--kind NAME]'],
};

/** Help of `npm run soak`. */
const SOAK_USAGE = [
  'npm run soak [-- [--of NAME] [options]]',
  '  Seeded runs in which processes are killed. A run that fails names its seed. By NAME (default: pipeline):',
  ...Object.entries(PROGRAMS).map(([name, [, options]]) => `  --of ${name} ${options}`),
  '',
].join('\n');

/** Runs a soak program. Resolves to its exit code, to 0 after the help, and to 2 for an unknown name. */
export async function runSoak(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(SOAK_USAGE);
    return 0;
  }
  const name = nameIn(args);
  if (!Object.hasOwn(PROGRAMS, name)) {
    process.stderr.write(`--of ${name}: must be one of ${Object.keys(PROGRAMS).join(', ')}\n`);
    return 2;
  }
  const [program] = PROGRAMS[name];
  // The program of the pipeline has no option `--of`.
  const given = name === 'pipeline' ? args.filter((arg) => !/^(--of(=pipeline)?|pipeline)$/.test(arg)) : args;
  return runPinned([`test/invariants/${program}`, ...given]);
}

function nameIn(args) {
  const joined = args.find((arg) => arg.startsWith('--of='));
  if (joined !== undefined) return joined.slice('--of='.length);
  const at = args.indexOf('--of');
  return at < 0 ? 'pipeline' : (args[at + 1] ?? '');
}
