import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { agentPath } from '../executions/api-paths.ts';
import { pushAgent } from '../executions/push-agent.ts';
import { runAndPrint, seconds, type Wait } from '../executions/run-and-print.ts';
import { type RunOptions, readInput, runRequest, several } from '../executions/run-request.ts';
import { textTable } from '../executions/text-table.ts';

interface ListedAgent {
  readonly slug: string;
  readonly name: string;
  readonly sourceIntegrity: string;
  readonly latestVersion: number | null;
  readonly stats: { readonly totalExecutions: number };
}

export function registerAgents(program: Command, context: CommandContext): void {
  const group = program.command('agents').description('make, list and run agents');

  group
    .command('push')
    .description('make the agent of a folder, or bring it up to date')
    .argument('<folder>', 'agent.yaml says slug, name, description and config; all other files are its workspace')
    .action(async (folder: string) => {
      const pushed = await pushAgent(await context.server(), folder);
      const { slug, created, files, extra } = pushed;
      if (extra.length > 0) context.note(`only in its workspace, and left there: ${extra.join(', ')}`);
      await context.write(`${JSON.stringify({ agent: slug, created, files })}\n`);
    });

  group
    .command('list')
    .description('agents that the key may see')
    .option('--search <text>', 'part of slug, name or description')
    .addOption(new Option('--output <format>', 'how to print it').choices(['table', 'json']).default('table'))
    .action(async ({ search, output }: { search?: string; output: string }) => {
      const query = new URLSearchParams({ limit: '100', ...(search === undefined ? {} : { search }) });
      const server = await context.server();
      const { data, total } = (await (await server.request(`/api/v1/agents?${query}`)).json()) as {
        data: readonly ListedAgent[];
        total: number;
      };
      if (output === 'json') await context.write(data.map((each) => `${JSON.stringify(each)}\n`).join(''));
      else await context.write(textTable(['SLUG', 'NAME', 'WORKSPACE', 'SOURCE', 'EXECUTIONS'], data.map(rowOf)));
      if (total > data.length) context.note(`${total - data.length} more: narrow it with --search`);
    });

  group
    .command('run')
    .description('run an agent; prints one JSON object')
    .argument('<slug>', 'slug or id')
    .option('--input <json>', 'JSON, @FILE with it, or - for standard input')
    .option('--file <name=path>', 'a file of the input, under its name; several times for several', several)
    .option('--wait [seconds]', 'wait for the end, 600 s by default; exit code 1 when it does not complete', seconds)
    .action(async (slug: string, options: RunOptions & { wait?: Wait }) => {
      const input = await readInput(options, context);
      // In a form the field `_json` is the input itself.
      const init = await runRequest((options.file ?? []).length > 0 ? input : { input }, options);
      const path = agentPath(slug, '/run');
      await runAndPrint(context, await context.server(), { kind: 'agents', path, init, wait: options.wait });
    });
}

function rowOf({ slug, name, latestVersion, sourceIntegrity, stats }: ListedAgent): string[] {
  return [slug, name, String(latestVersion ?? ''), sourceIntegrity, String(stats.totalExecutions)];
}
