import { createProcessContext } from './process-context.ts';
import { commandNamed, configFileOf, runProgram } from './program.ts';

const args = process.argv.slice(2);
const file = configFileOf(args);
const { context, exitCode } = createProcessContext(async () => {
  if (commandNamed(args) === 'detect') return (await import('../config/load-apart.ts')).loadConfigApart(file);
  return (await import('../config.ts')).loadConfig(file);
});
process.exitCode = await runProgram(args, context, exitCode);
