import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A Compose file that is started under a separate project name. */
export interface ComposeProject {
  readonly name: string;
  /** Runs a Compose command. Resolves to its standard output, rejects with its standard error. */
  compose(...args: readonly string[]): Promise<string>;
}

/** Returns the project `name` of `file`. `environment` sets the variables of the file. */
export function composeProject(
  name: string,
  file: string,
  environment: Readonly<Record<string, string>>,
): ComposeProject {
  return {
    name,
    async compose(...args) {
      const { stdout } = await promisify(execFile)(
        'docker',
        ['compose', `--project-name=${name}`, `--file=${file}`, ...args],
        { env: { ...process.env, ...environment }, maxBuffer: 64 * 2 ** 20 },
      );
      return stdout.trim();
    },
  };
}
