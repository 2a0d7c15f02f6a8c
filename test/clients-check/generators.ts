import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { servicesCache } from '#test/support/install-services.mjs';
import { makeOnce } from '#test/support/make-once.mjs';
import { pythonEnvironment } from '#test/support/services/python-environment.ts';

const run = promisify(execFile);

const OPENAPI_GENERATOR = '7.25.0';
const OPENAPI_GENERATOR_SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const PYTHON_CLIENT_PACKAGES = ['openapi-python-client==0.29.1', 'httpx==0.28.1', 'attrs==26.1.0'];
const GENERATED_PACKAGES = [
  'urllib3==2.8.0',
  'python-dateutil==2.9.0.post0',
  'pydantic==2.14.3',
  'typing-extensions==4.16.0',
];

/** A client generator, and the script that calls the main routes through the generated client. */
export interface Generator {
  readonly name: string;
  readonly script: string;
  /**
   * Generates a client from the description into the folder. Resolves to a Python interpreter that can import the
   * client.
   */
  generate(description: string, folder: string): Promise<string>;
}

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-python-client',
    script: 'with_openapi_python_client.py',
    async generate(description, folder) {
      const python = await pythonEnvironment(PYTHON_CLIENT_PACKAGES);
      const output = path.join(folder, 'trapline_client');
      const options = ['--path', description, '--output-path', output, '--meta', 'none'];
      await run(python, ['-m', 'openapi_python_client', 'generate', ...options]);
      return python;
    },
  },
  {
    name: 'openapi-generator (python)',
    script: 'with_openapi_generator.py',
    async generate(description, folder) {
      const options = ['-g', 'python', '--package-name', 'trapline_api', '-i', description, '-o', folder];
      await run('java', ['-jar', await openapiGenerator(), 'generate', ...options], { maxBuffer: 64 * 2 ** 20 });
      return pythonEnvironment(GENERATED_PACKAGES);
    },
  },
];

/** Returns the path of the openapi-generator program, which is downloaded once from Maven Central (32 MB). */
async function openapiGenerator(): Promise<string> {
  const folder = path.join(servicesCache(), `openapi-generator-${OPENAPI_GENERATOR}`);
  await makeOnce(folder, async (target) => {
    const name = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`;
    const url = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${OPENAPI_GENERATOR}/${name}`;
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} was answered with status ${response.status}`);
    const program = Buffer.from(await response.arrayBuffer());
    const digest = createHash('sha256').update(program).digest('hex');
    if (digest !== OPENAPI_GENERATOR_SHA256) throw new Error(`${url} has an unexpected SHA-256 (got ${digest})`);
    await writeFile(path.join(target, 'openapi-generator-cli.jar'), program);
  });
  return path.join(folder, 'openapi-generator-cli.jar');
}
