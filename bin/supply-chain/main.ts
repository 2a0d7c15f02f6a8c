import { fileURLToPath } from 'node:url';
import { checkSupplyChain } from './check.ts';

/** Prints the results of the supply-chain checks. Exits with 1 if one fails. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const { failures, warnings, notes } = await checkSupplyChain(root, new Date());
const print = (level: string, line: string) => process.stderr.write(`dependencies: ${level}: ${line}\n`);
for (const line of notes) print('note', line);
for (const line of warnings) print('warning', line);
for (const line of failures) print('error', line);
if (failures.length > 0) {
  process.stderr.write('dependencies: what to do about it: docs/security/supply-chain.md\n');
  process.exitCode = 1;
}
