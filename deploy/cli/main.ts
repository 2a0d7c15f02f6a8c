import { COMMANDS } from './command-table.ts';
import { createProcessContext } from './process-context.ts';
import { commandNamed, configOptionsOf, runProgram } from './program.ts';

const args = process.argv.slice(2);
const command = commandNamed(args);
// Else ps, top and the kernel's lines on crashes call each process node-MainThread. No space: lists of processes are split at spaces.
if (command !== undefined && Object.hasOwn(COMMANDS, command)) process.title = `trapline-${command}`;
const options = configOptionsOf(args);
const { context, exitCode } = createProcessContext(async () => {
  if (command === 'detect') return (await import('../config/load-apart.ts')).loadConfigApart(options);
  return (await import('../config.ts')).loadConfig(options);
});
process.exitCode = await runProgram(args, context, exitCode);
