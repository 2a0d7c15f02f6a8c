import { Readable, Writable } from 'node:stream';
import { acceptConfig } from '#deploy/cli/accept-config.ts';
import type { ExitCode } from '#deploy/cli/command-error.ts';
import type { CommandContext } from '#deploy/cli/context.ts';
import { runProgram } from '#deploy/cli/program.ts';
import { connectToServer } from '#deploy/cli/server-connection.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';

export interface CommandRun {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly stdin?: string | Buffer | Iterable<Buffer>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Width of the terminal on standard output, in columns; undefined if it is not a terminal. */
  readonly columns?: number;
}

/** Runs a command line in this process, with the code of the `trapline` command and captured streams. */
export async function runCommand(args: readonly string[], surroundings: Surroundings = {}): Promise<CommandRun> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const into = (chunks: Buffer[]): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
  const { stdin = '', environment = {}, columns } = surroundings;
  const stdout = Object.assign(into(out), columns === undefined ? {} : { columns });
  let code: ExitCode = 0;
  const resolved = async (servesPlatform = false) =>
    acceptConfig(resolveConfig({ environment: { TRAPLINE_DATA_DIR: '/nonexistent/trapline', ...environment } }), {
      servesPlatform,
    });
  const config = async () => (await resolved()).config;
  const stderr = into(err);
  const context: CommandContext = {
    stdin:
      typeof stdin === 'string' || Buffer.isBuffer(stdin) ? Readable.from([Buffer.from(stdin)]) : Readable.from(stdin),
    stdout,
    stderr,
    write: async (chunk) => void stdout.write(chunk),
    note: (text) => void stderr.write(`trapline: ${text}\n`),
    resolvedConfig: () => resolved(),
    config,
    platformConfig: async () => (await resolved(true)).config,
    server: async () => connectToServer(await config()),
    setExitCode: (to) => {
      code = to;
    },
  };
  const exit = await runProgram(args, context, () => code);
  return { code: exit, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
