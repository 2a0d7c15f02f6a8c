import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { randomName } from '#test/support/random-name.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { expectCapture, expectHardened, type Report, sendCapture, stopServices, up } from './check-project.ts';
import { type ComposeProject, composeProject } from './compose-project.ts';
import { buildStandIns } from './stand-ins/build.ts';

/**
 * `npm run compose:check`: starts the Compose files with the images that `npm run images -- build` made, sends the
 * captured attack, waits until it is detected, and stops everything. `--stand-ins` first builds replacements for
 * third-party images, for an engine without access to a registry.
 */

const HELP = {
  name: 'compose:check',
  usage: 'usage: npm run compose:check -- [single|cluster] [--stand-ins] [--network host]',
};
const DEPLOY = path.join(import.meta.dirname, '../../deploy');
const PLATFORM_SECRETS = ['clickhouse-password', 'database-url', 'redis-url', 'auth-secret', 'jwt-secret', 'admin-key'];
const STORE_SECRETS = ['clickhouse-password', 'database-url'];
const CHECKS = { single: checkSingle, cluster: checkCluster };

async function main(args: readonly string[]): Promise<number> {
  const options = { 'stand-ins': { type: 'boolean' }, network: { type: 'string', default: 'default' } } as const;
  const { positionals, values } = readCommandLine(HELP, { allowPositionals: true, options }, args);
  const names = positionals.length === 0 ? Object.keys(CHECKS) : positionals;
  const unknown = names.find((name) => !Object.hasOwn(CHECKS, name));
  if (unknown !== undefined) endWithUsage(HELP, `must be one of ${Object.keys(CHECKS).join(', ')} (got "${unknown}")`);
  if (values['stand-ins']) await buildStandIns(values.network);
  for (const name of names as (keyof typeof CHECKS)[]) await withProject(name, CHECKS[name]);
  return 0;
}

/** Runs a check on a copy of the Compose files, with new secrets next to them. */
async function withProject(
  name: keyof typeof CHECKS,
  check: (project: ComposeProject, secrets: string) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-compose-'));
  const folder = path.join(home, 'deploy/compose');
  await cp(path.join(DEPLOY, 'compose'), folder, { recursive: true });
  const rules = 'dashboards/grafana/generated/trapline.rules.yml';
  await cp(path.join(DEPLOY, '..', rules), path.join(home, rules));
  await promisify(execFile)(path.join(folder, 'make-secrets.sh'));
  const project = composeProject(randomName(`trapline-${name}`), path.join(folder, `${name}.yaml`), {
    TRAPLINE_PORT: '0',
    PROMETHEUS_PORT: '0',
    CLICKHOUSE_OPEN_FILES:
      /^Max open files\s+\d+\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'))?.[1] ?? '',
  });
  try {
    await check(project, path.join(folder, 'secrets'));
  } catch (error) {
    process.stderr.write(`${await project.compose('logs', '--tail=20').catch(String)}\n`);
    throw error;
  } finally {
    await project.compose('down', '--volumes', '--timeout=20');
    await rm(home, { recursive: true, force: true });
  }
}

/** Checks that the demo is replayed at the first start only and that the volume keeps its data. */
async function checkSingle(project: ComposeProject): Promise<void> {
  for (const start of ['first start', 'second start']) {
    await up(project, print);
    await expectHardened(project, 'trapline', ['admin-key', 'auth-secret', 'jwt-secret']);
    const readKey = ['/usr/local/bin/node', '-p', "fs.readFileSync('/var/lib/trapline/operator.key', 'utf8').trim()"];
    const key = await project.compose('exec', '-T', 'trapline', ...readKey);
    await expectCapture({ url: await address(project, 'trapline', 8080), key }, `${project.name}, ${start}`, print);
    await stopServices(project, ['trapline'], print);
  }
}

async function checkCluster(project: ComposeProject, secrets: string): Promise<void> {
  const key = await readFile(path.join(secrets, 'operator-key'), 'utf8');
  await up(project, print);
  await expectHardened(project, 'api', PLATFORM_SECRETS);
  await expectHardened(project, 'worker', PLATFORM_SECRETS);
  for (const service of ['ingest-1', 'ingest-2']) await expectHardened(project, service, STORE_SECRETS);
  await sendCapture(project, 'trapline/detector', 'http://api:8080', key);
  await expectCapture({ url: await address(project, 'api', 8080), key }, project.name, print);
  await expectScraped(await address(project, 'prometheus', 9090));
  await stopServices(project, ['api', 'ingest-1', 'ingest-2', 'worker'], print);
  await up(project, print);
  await expectCapture({ url: await address(project, 'api', 8080), key }, `${project.name}, second start`, print);
}

/** Checks that Prometheus scrapes every process (api with the admin key) and has loaded the rules. */
async function expectScraped(prometheus: string): Promise<void> {
  const processes = ['api:8080', 'ingest-1:8080', 'ingest-2:8080', 'worker:8080'];
  await waitFor('Prometheus to read all processes', async () => {
    const { data } = (await (await fetch(`${prometheus}/api/v1/query?query=up`)).json()) as {
      readonly data: { readonly result: readonly { metric: { instance: string }; value: readonly [number, string] }[] };
    };
    const read = data.result.filter(({ value }) => value[1] === '1').map(({ metric }) => metric.instance);
    return processes.every((name) => read.includes(name));
  });
  const { data } = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as {
    readonly data: { readonly groups: readonly { readonly rules: readonly unknown[] }[] };
  };
  const rules = data.groups.flatMap((group) => group.rules).length;
  if (rules === 0) throw new Error('Prometheus has no rules');
  print(`Prometheus reads ${processes.join(', ')}, with ${rules} rules`);
}

async function address(project: ComposeProject, service: string, port: number): Promise<string> {
  return `http://${await project.compose('port', service, String(port))}`;
}

const print: Report = (line) => void process.stdout.write(`${line}\n`);

process.exitCode = await main(process.argv.slice(2));
