import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** One Compose file, started under a name of its own. */
export interface ComposeProject {
  readonly name: string;
  /** Runs a command of Compose. Resolves to its standard output, rejects with its standard error. */
  compose(...args: readonly string[]): Promise<string>;
}

/** The project `name` of `file`; `environment` fills in the variables of the file. */
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
