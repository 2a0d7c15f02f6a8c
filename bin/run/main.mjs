import { log, SetupError } from '../setup/log.mjs';
import { setUp } from '../setup/set-up.mjs';
import { runCheck, runFormat } from './check.mjs';
import { runPinned } from './child.mjs';
import { runSite } from './site.mjs';
import { runSoak } from './soak.mjs';
import { runLongTests, runTests, runUnitTests, watchTests } from './test.mjs';

/** The commands: what each needs in addition to the dependencies, and what it runs. */
const COMMANDS = {
  start: { services: false, run: (args) => runPinned(['deploy/cli/main.ts', 'start', ...args]) },
  test: { services: true, run: runTests },
  'test-unit': { services: false, run: runUnitTests },
  'test-long': { services: true, run: runLongTests },
  'test-watch': { services: true, run: watchTests },
  'test-services': { services: true, run: (args) => runPinned(['test/support/services/main.ts', ...args]) },
  check: { services: false, run: runCheck },
  format: { services: false, run: runFormat },
  bench: { services: true, run: (args) => runPinned(['test/bench/main.ts', ...args]) },
  soak: { services: true, run: runSoak },
  lab: { services: false, run: (args) => runPinned(['test/lab/main.ts', ...args]) },
  fuzz: { services: false, run: (args) => runPinned(['test/fuzz/main.ts', ...args]) },
  'clients-check': { services: true, run: (args) => runPinned(['test/clients-check/main.ts', ...args]) },
  docs: { services: false, run: (args) => runSite('build', args) },
  'docs-serve': { services: false, run: (args) => runSite('preview', args) },
  package: { services: false, run: (args) => runPinned(['deploy/packages/main.ts', ...args]) },
  'package-check': { services: false, run: (args) => runPinned(['test/package-check/main.ts', ...args]) },
  sbom: { services: false, run: (args) => runPinned(['bin/supply-chain/sbom/main.ts', ...args]) },
  images: { services: false, run: (args) => runPinned(['deploy/images/main.ts', ...args]) },
  'compose-check': { services: false, run: (args) => runPinned(['test/compose-check/main.ts', ...args]) },
  distribution: { services: false, run: (args) => runPinned(['test/distribution/main.ts', ...args]) },
  release: { services: false, run: (args) => runPinned(['bin/release/main.ts', ...args]) },
  'release-check': { services: false, run: (args) => runPinned(['test/release-check/main.ts', ...args]) },
  'audit-refresh': { services: false, run: () => runPinned(['bin/supply-chain/refresh.ts']) },
  'set-up': { services: false, run: async () => 0 },
};

/** Runs one command line. Resolves to the exit code. */
export async function main([name = '', ...args]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    log(`usage: node bin/bootstrap.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
    return 2;
  }
  try {
    await setUp({ services: command.services });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    log(error.message);
    return 2;
  }
  return command.run(args);
}
