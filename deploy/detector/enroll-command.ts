import { hostname as machineName } from 'node:os';
import type { Command } from 'commander';
import { usageError } from '../cli/command-error.ts';
import { enrol } from './enrol.ts';
import { sinkTarget } from './sink-target.ts';

export interface EnrollProgram {
  /** Version of the detector. */
  readonly version: string;
  /** Default of `--key-file`, with a description for the help if it is determined later. */
  readonly keyFile: { readonly path: string } | { readonly path: () => Promise<string>; readonly description: string };
  /** Called when the key has been written. */
  enrolled(host: { readonly hostname: string; readonly keyFile: string; readonly url: URL }): void;
}

/** Adds `enroll URL TOKEN`, which exchanges a one-time token for the key of this host. */
export function addEnrollCommand(parent: Command, program: EnrollProgram): void {
  const { path } = program.keyFile;
  const command = parent
    .command('enroll')
    .description('exchange a one-time token for the API key of this host')
    .argument('<url>', 'the server, http(s)://HOST')
    .argument('<token>', 'from an administrator: the page Detectors of the console, or `trapline detectors token`')
    .option('--hostname <name>', 'name of this host in its events (default: that of this machine)');
  if ('description' in program.keyFile)
    command.option('--key-file <file>', `where the key is written (default: ${program.keyFile.description})`);
  else command.option('--key-file <file>', 'where the key is written', program.keyFile.path);
  command.action(async (text: string, token: string, options: { hostname?: string; keyFile?: string }) => {
    const target = sinkTarget(text);
    if (target.kind !== 'http') throw usageError('must be the URL of a server, http(s)://HOST');
    const hostname = options.hostname ?? machineName();
    const keyFile = options.keyFile ?? (typeof path === 'string' ? path : await path());
    await enrol({ url: target.url, token, version: program.version, hostname, keyFile });
    program.enrolled({ hostname, keyFile, url: target.url });
  });
}
