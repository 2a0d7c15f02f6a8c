import { once } from 'node:events';
import type { Refused, Resolved } from '../config.ts';
import { acceptConfig } from './accept-config.ts';
import { type ExitCode, OutputClosed } from './command-error.ts';
import type { CommandContext } from './context.ts';

/** Creates the context of the real process. Configuration and server connection are loaded on demand. */
export function createProcessContext(loadConfig: () => Promise<Resolved | Refused>): {
  context: CommandContext;
  exitCode: () => ExitCode;
} {
  let exitCode: ExitCode = 0;
  let loaded: Resolved | Refused | undefined;
  const { stdin, stdout, stderr } = process;

  // `trapline query … | head`: the reader has closed the pipe. The command ends at its next write, without an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    // For example a full disk: the output is incomplete, and the command cannot recover.
    context.note(`cannot write to standard output: ${error.message}`);
    process.exit(1);
  });

  async function accepted(role: { servesPlatform: boolean }): Promise<Resolved> {
    const first = loaded === undefined;
    loaded ??= await loadConfig();
    const resolved = acceptConfig(loaded, role);
    if (first) for (const warning of resolved.warnings) context.note(warning);
    return resolved;
  }

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
    resolvedConfig: () => accepted({ servesPlatform: false }),
    config: async () => (await accepted({ servesPlatform: false })).config,
    platformConfig: async () => (await accepted({ servesPlatform: true })).config,
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
