import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltPackage, buildPackage, TSC } from './built-package.ts';

/** The package from the point of view of a program that installs it. */

let built: BuiltPackage;
beforeAll(async () => {
  built = await buildPackage();
});
afterAll(() => built?.remove());

const PROGRAM = `
import { type Agent, createClient, ServiceError } from '@trapline/client';
const client = createClient({ apiKey: 'a.b', baseUrl: undefined });
const { agent }: { agent: Agent } = await client.agents.get('triage', { include: ['files'] });
const total: number = (await client.agents.executions.list('triage', { hasFeedback: true, createdAfter: new Date() })).total;
const steps = (await client.workflows.executions.get('exec_1', { includeSteps: true })).steps.length;
// @ts-expect-error an id is text
const wrong: number = agent.id;
// @ts-expect-error there is no such filter
await client.agents.executions.list('triage', { hasFeedbak: true });
export { ServiceError, steps, total, wrong };
`;

describe('the TypeScript package', () => {
  test.for([
    ['nodenext', 'nodenext', 'es2022'],
    ['esnext', 'bundler', 'es2022,dom,dom.iterable'],
  ])('has types for module %s by %s', async ([module, resolution, lib]) => {
    await writeFile(path.join(built.project, 'package.json'), '{"type":"module"}');
    const inNode = resolution === 'nodenext';
    const more = inNode
      ? "import { openFile } from '@trapline/client/node';\nexport const file = await openFile('x');\n"
      : '';
    const program = path.join(built.project, `${resolution}.ts`);
    await writeFile(program, PROGRAM + more);
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
      '--skipLibCheck',
      'false',
    ];
    const types = inNode ? ['--types', 'node'] : ['--types', ''];
    const chosen = [
      '--module',
      String(module),
      '--moduleResolution',
      String(resolution),
      '--lib',
      String(lib),
      ...types,
    ];
    const outcome = promisify(execFile)(process.execPath, [TSC, ...options, ...chosen, program], {
      cwd: built.project,
    });
    await expect(outcome.catch((error: { stdout: string }) => error.stdout)).resolves.toHaveProperty('stdout', '');
  });

  test('has nothing in its main entry that browsers lack, and no dependencies', async () => {
    const texts = new Map<string, string>();
    const read = async (file: string) => {
      if (texts.has(file)) return;
      const text = await readFile(path.join(built.dist, file), 'utf8');
      texts.set(file, text);
      for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
        expect(specifier, file).toMatch(/^\.\//);
        await read(specifier.slice(2));
      }
    };
    await read('index.js');
    expect(texts.size).toBeGreaterThan(10);
    expect([...texts.values()].join('\n')).not.toMatch(/\bBuffer\b|\brequire\(/);
    const { dependencies } = JSON.parse(await readFile(path.join(built.dist, '../package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
  });
});
