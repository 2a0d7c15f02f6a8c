import { once } from 'node:events';
import type { Refused, Resolved } from '../config.ts';
import { type ExitCode, OutputClosed, usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

/** The context of the real process. Configuration and server connection are loaded when a command asks for them. */
export function createProcessContext(loadConfig: () => Promise<Resolved | Refused>): {
  context: CommandContext;
  exitCode: () => ExitCode;
} {
  let exitCode: ExitCode = 0;
  let resolved: Resolved | undefined;
  const { stdin, stdout, stderr } = process;

  // `trapline query … | head`: the reader has seen enough. The command ends at its next write, and nothing is wrong.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

  const context: CommandContext = {
    stdin,
    stdout,
    stderr,
    async write(chunk) {
      if (stdout.destroyed || stdout.errored) throw new OutputClosed();
      if (stdout.write(chunk)) return;
      await once(stdout, 'drain').catch(() => {
        throw new OutputClosed();
      });
    },
    note(text) {
      stderr.write(`trapline: ${text}\n`);
    },
    async resolvedConfig() {
      if (resolved === undefined) {
        const result = await loadConfig();
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
