import { createProcessContext } from './process-context.ts';
import { configFileOf, runProgram } from './program.ts';

const args = process.argv.slice(2);
const { context, exitCode } = createProcessContext(configFileOf(args));
process.exitCode = await runProgram(args, context, exitCode);
