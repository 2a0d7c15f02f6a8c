import { type Command, Option } from 'commander';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { workflowPath } from '../executions/api-paths.ts';
import { readDefinitions } from '../executions/definition-files.ts';
import { type PushOptions, pushDefinitions } from '../executions/push-definitions.ts';
import { runAndPrint, type Wait } from '../executions/run-and-print.ts';
import { type RunOptions, readInput, runRequest, several } from '../executions/run-request.ts';
import { textTable } from '../executions/text-table.ts';
import { seconds } from '../seconds.ts';

const output = () => new Option('--output <format>', 'output format').choices(['table', 'json']).default('table');
type Output = { readonly output: 'table' | 'json' };

/** Long: each command is defined with its options. */
export function registerWorkflows(program: Command, context: CommandContext): void {
  const group = program.command('workflows').description('release, list and run workflows');
  const asked = async <T>(path: string, init?: RequestInit): Promise<T> =>
    (await (await context.server()).request(path, init)).json() as Promise<T>;
  const print = (value: unknown) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('push')
    .description('release a definition, or all in a folder; unchanged definitions get no new version')
    .argument('<path>', 'a definition in YAML, a folder of them, or - for standard input')
    .option('--version <tag>', 'tag of this version (default: the next number)')
    .addOption(new Option('--kind <kind>', 'block: only other workflows run it').choices(['workflow', 'block']))
    .addOption(
      new Option('--visibility <who>', 'shared: visible to all users who can run workflows').choices([
        'private',
        'shared',
      ]),
    )
    .option('--notes <text>', 'release notes')
    .action((path: string, options: PushOptions) => push(path, options, context));

  group
    .command('list')
    .description('list the workflows that the key can see')
    .option('--search <text>', 'part of the name')
    .addOption(output())
    .action(async ({ search, output: form }: Output & { search?: string }) => {
      const query = new URLSearchParams({ limit: '100', ...(search === undefined ? {} : { search }) });
      const { data, total } = await asked<{ data: Record<string, string>[]; total: number }>(
        `/api/v1/workflows?${query}`,
      );
      if (form === 'json') await context.write(data.map((each) => `${JSON.stringify(each)}\n`).join(''));
      else
        await context.write(
          textTable(
            ['NAME', 'KIND', 'VERSION', 'UPDATED'],
            data.map(({ name = '', kind = '', version = '', updatedAt = '' }) => [name, kind, version, updatedAt]),
          ),
        );
      if (total > data.length) context.note(`${total - data.length} more: use --search to narrow the list`);
    });

  group
    .command('run')
    .description('run a workflow; prints one JSON object')
    .argument('<slug>', 'name or id')
    .option('--input <json>', 'input as JSON, @FILE to read it from a file, or - for standard input')
    .option('--file <name=path>', 'file of the input with its name; repeatable', several)
    .option('--version <version>', 'id or tag (default: the current one)')
    .option('--wait [seconds]', 'wait for the end, 600 s by default; exit code 1 if it does not complete', seconds)
    .action(async (slug: string, options: RunOptions & { version?: string; wait?: Wait }) => {
      const input = await readInput(options, context);
      const query = options.version === undefined ? '' : `?${new URLSearchParams({ version: options.version })}`;
      const init = await runRequest({ input, trigger: 'cli' }, options);
      const path = workflowPath(slug, `/run${query}`);
      await runAndPrint(context, await context.server(), { kind: 'workflows', path, init, wait: options.wait });
    });

  group
    .command('versions')
    .description('list released versions, newest first')
    .argument('<slug>', 'name or id')
    .addOption(output())
    .action(async (slug: string, { output: form }: Output) => {
      const { data } = await asked<{ data: { id: string; version: string; isCurrent: boolean; createdAt: string }[] }>(
        workflowPath(slug, '/versions?limit=100'),
      );
      if (form === 'json') return context.write(data.map((each) => `${JSON.stringify(each)}\n`).join(''));
      const rows = data.map(({ id, version, isCurrent, createdAt }) => [
        version,
        isCurrent ? 'yes' : '',
        createdAt,
        id,
      ]);
      return context.write(textTable(['VERSION', 'CURRENT', 'RELEASED', 'ID'], rows));
    });

  group
    .command('diff')
    .description('compare two versions, as a unified diff')
    .argument('<slug>', 'name or id')
    .argument('<from>', 'id or tag')
    .argument('[to]', 'id or tag', 'latest')
    .action(async (slug: string, from: string, to: string) => {
      const path = workflowPath(
        slug,
        `/versions/${encodeURIComponent(from)}/diff?${new URLSearchParams({ with: to })}`,
      );
      await context.write((await asked<{ diff: string }>(path)).diff);
    });

  group
    .command('rollback')
    .description('make an earlier version the current one again')
    .argument('<slug>', 'name or id')
    .argument('<version>', 'id or tag')
    .action(async (slug: string, version: string) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ version });
      const { workflow } = await asked<{ workflow: object }>(workflowPath(slug, '/rollback'), {
        method: 'POST',
        headers,
        body,
      });
      await print(workflow);
    });

  group
    .command('limits')
    .description('show limits, queued starts and pause of a workflow, as JSON')
    .argument('<slug>', 'name or id')
    .action(async (slug: string) => print(await asked<object>(workflowPath(slug, '/limits'))));

  group
    .command('pause')
    .description('queue new starts of a workflow until it is resumed; running executions continue')
    .argument('<slug>', 'name or id')
    .option('--reason <text>', 'shown with the workflow and in the audit log')
    .action(async (slug: string, { reason }: { reason?: string }) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(reason === undefined ? {} : { reason }) };
      await print(await asked<object>(workflowPath(slug, '/pause'), init));
    });

  group
    .command('resume')
    .description('resume a paused workflow and start its queued executions, within its limits')
    .argument('<slug>', 'name or id')
    .action(async (slug: string) => print(await asked<object>(workflowPath(slug, '/resume'), { method: 'POST' })));

  group
    .command('graph')
    .description('print the flow chart of a workflow as Mermaid')
    .argument('<slug>', 'name or id')
    .option('--version <version>', 'id or tag (default: the current one)')
    .action(async (slug: string, { version }: { version?: string }) => {
      const query = version === undefined ? '' : `?${new URLSearchParams({ version })}`;
      await context.write(
        `${(await asked<{ mermaid: string }>(workflowPath(slug, `/graph${query}`))).mermaid.trimEnd()}\n`,
      );
    });
}

async function push(path: string, options: PushOptions, context: CommandContext): Promise<void> {
  const files = await readDefinitions(path, context);
  if (files.length > 1 && options.version !== undefined)
    throw usageError('--version names one version: push the definitions one by one');
  const pushed = await pushDefinitions(await context.server(), files, options);
  for (const { file, version, released, errors, warnings } of pushed) {
    for (const line of [...errors, ...warnings.map((warning) => `warning: ${warning}`)]) context.note(line);
    if (version !== undefined) await context.write(`${JSON.stringify({ workflow: file.slug, version, released })}\n`);
  }
  if (pushed.some(({ version }) => version === undefined)) context.setExitCode(1);
}
