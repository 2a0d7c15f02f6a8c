import { COMMANDS } from './command-table.ts';
import { createProcessContext } from './process-context.ts';
import { commandNamed, configOptionsOf, runProgram } from './program.ts';

const args = process.argv.slice(2);
const command = commandNamed(args);
// Otherwise ps, top and kernel messages show each process as node-MainThread. The title has no space, because process
// lists are split at spaces.
if (command !== undefined && Object.hasOwn(COMMANDS, command)) process.title = `trapline-${command}`;
const options = configOptionsOf(args);
const { context, exitCode } = createProcessContext(async () => {
  if (command === 'detect') return (await import('../config/load-apart.ts')).loadConfigApart(options);
  return (await import('../config.ts')).loadConfig(options);
});
process.exitCode = await runProgram(args, context, exitCode);
