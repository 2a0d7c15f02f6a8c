import { once } from 'node:events';
import { loadConfig, type Resolved } from '../config.ts';
import { type ExitCode, usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

/** The context of the real process. The server connection and the configuration are loaded when a command asks for them. */
export function createProcessContext(configFile: string | undefined): {
  context: CommandContext;
  exitCode: () => ExitCode;
} {
  let exitCode: ExitCode = 0;
  let resolved: Resolved | undefined;
  const { stdin, stdout, stderr } = process;

  // `trapline query … | head`: the reader has seen enough. Nobody is left to write to, and nothing is wrong.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCode);
  });

  const context: CommandContext = {
    stdin,
    stdout,
    stderr,
    async write(chunk) {
      if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    note(text) {
      stderr.write(`trapline: ${text}\n`);
    },
    async resolvedConfig() {
      if (resolved === undefined) {
        const result = loadConfig(configFile);
        if (!result.ok)
          throw usageError(`the configuration is wrong\n${result.errors.map((error) => `  ${error}`).join('\n')}`);
        for (const warning of result.warnings) context.note(warning);
        resolved = result;
      }
      return resolved;
    },
    config: async () => (await context.resolvedConfig()).config,
    async server() {
      const { connectToServer } = await import('./server-connection.ts');
      return connectToServer(await context.config());
    },
    setExitCode(code) {
      exitCode = code;
    },
  };
  return { context, exitCode: () => exitCode };
}
