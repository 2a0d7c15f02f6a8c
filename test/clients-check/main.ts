import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { GENERATORS } from './generators.ts';

/**
 * `npm run clients:check`: generates clients from /api/openapi.json and calls the main routes of a running Trapline
 * through them. Needs Java, Python 3.10 or newer with venv, and, on the first run, access to Maven Central and PyPI.
 */

const run = promisify(execFile);

const failed: string[] = [];
for (const generator of GENERATORS) {
  // Each generator uses its own server, because the calls change the server's state.
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-clients-'));
  const server = await startTrapline(['start'], { LOG_LEVEL: 'error' }, home);
  try {
    const { url, key } = await started(server);
    const description = path.join(home, 'openapi.json');
    await writeFile(description, await (await fetch(`${url}/api/openapi.json`)).text());
    const folder = path.join(home, 'client');
    await mkdir(folder);
    const python = await generator.generate(description, folder);
    const script = path.join(import.meta.dirname, generator.script);
    const { stdout } = await run(python, [script, folder, url, key], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    process.stdout.write(`${generator.name}: ${stdout}`);
  } catch (error) {
    failed.push(generator.name);
    const { stderr = '', message } = error as Error & { stderr?: string };
    process.stderr.write(`${generator.name}: ${stderr.slice(-8_000) || message}\n`);
  } finally {
    await server.endAll();
    await removeHome(home);
  }
}
if (failed.length > 0) process.exitCode = 1;

async function started(server: TraplineProcess): Promise<{ readonly url: string; readonly key: string }> {
  await server.logged('Ctrl-C');
  const { url } = JSON.parse(await readFile(path.join(server.dataDir, 'server.json'), 'utf8')) as { url: string };
  return { url, key: (await readFile(path.join(server.dataDir, 'operator.key'), 'utf8')).trim() };
}
