import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findProgram } from './install-programs.mjs';
import { dockerAnswers, installServices } from './install-services.mjs';
import { temporaryFolder } from './services/temporary-folder.ts';

const program = fileURLToPath(new URL('./install-services.mjs', import.meta.url));

/** Runs the installer as a program on a machine without any of the programs. */
function runWithout(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program], { env: { PATH: '/nowhere', ...env } }, (_, __, stderr) =>
      resolve({ code: child.exitCode, stderr }),
    );
  });
}

test('names what is missing and how to install it', async () => {
  await temporaryFolder('bare-machine', async (home) => {
    const { code, stderr } = await runWithout({ HOME: home, DOCKER_HOST: 'unix:///nowhere' });
    expect(code).toBe(1);
    for (const name of ['java', 'mvn', 'kcat', 'python']) expect(stderr).toContain(`  ${name}: `);
    expect(stderr).toContain('sudo apt-get install default-jre-headless maven kcat');
  });
});

test('a container engine replaces no program, because tests start services of their own', async () => {
  await temporaryFolder('engine', async (home) => {
    const socket = join(home, 'docker.sock');
    const engine = createServer((_request, response) => void response.end('OK')).listen(socket);
    await once(engine, 'listening');
    const env = { HOME: home, DOCKER_HOST: `unix://${socket}` };
    expect(await dockerAnswers(env)).toBe(true);
    const { code, stderr } = await runWithout(env);
    engine.close();
    expect(code).toBe(1);
    for (const name of ['java', 'mvn', 'openssl', 'redis']) expect(stderr).toContain(`  ${name}: `);
  });
});

test('needs only the second client if the services are given by their URLs', async () => {
  await temporaryFolder('bare-machine', async (home) => {
    const urls = { TEST_KAFKA_BROKERS: 'kafka:9092', TEST_SCHEMA_REGISTRY_URL: 'http://registry' };
    const { code, stderr } = await runWithout({ HOME: home, ...urls });
    expect(code).toBe(1);
    expect(stderr).toContain('kcat: ');
    expect(stderr).not.toContain('java');
  });
});

test('a second run prints nothing', async () => {
  const said: string[] = [];
  await installServices({ log: (line) => void said.push(line) });
  await installServices({ log: (line) => void said.push(line) });
  expect(said).toEqual([]);
});

test('unpacks Prometheus on Debian, and asks for it elsewhere', async () => {
  await temporaryFolder('no-debian', async (home) => {
    for (const name of ['kcat', 'openssl', 'python3', 'chromium', 'flock'])
      await writeFile(join(home, name), `#!/bin/sh\nPATH='${process.env.PATH}' exec '${findProgram(name)}' "$@"\n`, {
        mode: 0o755,
      });
    const urls = {
      TEST_KAFKA_BROKERS: 'kafka:9092',
      TEST_SCHEMA_REGISTRY_URL: 'http://registry',
      TEST_REDIS_URL: 'redis',
    };
    const { code, stderr } = await runWithout({ HOME: home, PATH: home, ...urls });
    expect(code).toBe(1);
    expect(stderr).toContain('apt-get install prometheus');
    expect(stderr).not.toContain('kcat');
  });
});
