import { createProcessContext } from './process-context.ts';
import { commandNamed, configOptionsOf, runProgram } from './program.ts';

const args = process.argv.slice(2);
const options = configOptionsOf(args);
const { context, exitCode } = createProcessContext(async () => {
  if (commandNamed(args) === 'detect') return (await import('../config/load-apart.ts')).loadConfigApart(options);
  return (await import('../config.ts')).loadConfig(options);
});
process.exitCode = await runProgram(args, context, exitCode);
