import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { agentPath } from '../executions/api-paths.ts';
import { type EvaluationResult, evaluateAgent } from '../executions/evaluate-agent.ts';
import { pushAgent } from '../executions/push-agent.ts';
import { runAndPrint, type Wait } from '../executions/run-and-print.ts';
import { type RunOptions, readInput, runRequest, several } from '../executions/run-request.ts';
import { textTable } from '../executions/text-table.ts';
import { seconds } from '../seconds.ts';

interface ListedAgent {
  readonly slug: string;
  readonly name: string;
  readonly sourceIntegrity: string;
  readonly latestVersion: number | null;
  readonly stats: { readonly totalExecutions: number };
}

export function registerAgents(program: Command, context: CommandContext): void {
  const group = program.command('agents').description('create, list, run and evaluate agents');

  group
    .command('push')
    .description('create the agent of a folder, or update it')
    .argument('<folder>', 'agent.yaml contains slug, name, description and config; all other files are its workspace')
    .option('--keep', 'keep workspace files that are not in the folder, such as files that the agent wrote')
    .action(async (folder: string, { keep = false }: { keep?: boolean }) => {
      const pushed = await pushAgent(await context.server(), folder, { keepExtra: keep });
      const { slug, created, files, extra } = pushed;
      if (keep && extra.length > 0) context.note(`kept in the workspace, but not in the folder: ${extra.join(', ')}`);
      await context.write(`${JSON.stringify({ agent: slug, created, files, removed: keep ? [] : extra })}\n`);
    });

  group
    .command('list')
    .description('list the agents that the key can see')
    .option('--search <text>', 'part of slug, name or description')
    .addOption(new Option('--output <format>', 'output format').choices(['table', 'json']).default('table'))
    .action(async ({ search, output }: { search?: string; output: string }) => {
      const query = new URLSearchParams({ limit: '100', ...(search === undefined ? {} : { search }) });
      const server = await context.server();
      const { data, total } = (await (await server.request(`/api/v1/agents?${query}`)).json()) as {
        data: readonly ListedAgent[];
        total: number;
      };
      if (output === 'json') await context.write(data.map((each) => `${JSON.stringify(each)}\n`).join(''));
      else await context.write(textTable(['SLUG', 'NAME', 'WORKSPACE', 'SOURCE', 'EXECUTIONS'], data.map(rowOf)));
      if (total > data.length) context.note(`${total - data.length} more: use --search to narrow the list`);
    });

  group
    .command('files')
    .description('list the files in the workspace of an agent, or of an earlier version')
    .argument('<slug>', 'slug or id')
    .option('--path <path>', 'print this file')
    .option('--version <n>', 'version of the workspace (default: the current one)')
    .addOption(new Option('--output <format>', 'output format of the list').choices(['table', 'json']).default('table'))
    .action(async (slug: string, { path, version, output }: FilesOptions) => {
      const query = new URLSearchParams({
        ...(path === undefined ? {} : { path }),
        ...(version === undefined ? {} : { version }),
      });
      const server = await context.server();
      const answer = await (await server.request(agentPath(slug, `/files?${query}`))).json();
      const { files = [], file } = answer as { files?: readonly WorkspaceFile[]; file?: WorkspaceFile };
      if (file !== undefined) await context.write(file.content ?? Buffer.from(file.contentBase64 ?? '', 'base64'));
      else if (output === 'json') await context.write(files.map((each) => `${JSON.stringify(each)}\n`).join(''));
      else await context.write(textTable(['PATH', 'BYTES', 'SINCE VERSION', 'SINCE'], files.map(fileRow)));
    });

  group
    .command('run')
    .description('run an agent; prints one JSON object')
    .argument('<slug>', 'slug or id')
    .option('--input <json>', 'input as JSON, @FILE to read it from a file, or - for standard input')
    .option('--file <name=path>', 'file of the input with its name; repeatable', several)
    .option('--wait [seconds]', 'wait for the end, 600 s by default; exit code 1 if it does not complete', seconds)
    .action(async (slug: string, options: RunOptions & { wait?: Wait }) => {
      const input = await readInput(options, context);
      // In a form, the field `_json` is the input.
      const init = await runRequest((options.file ?? []).length > 0 ? input : { input }, options);
      const path = agentPath(slug, '/run');
      await runAndPrint(context, await context.server(), { kind: 'agents', path, init, wait: options.wait });
    });

  group
    .command('evaluate')
    .description('run an agent on its examples and compare the results; exit code 1 if one fails')
    .argument('<slug>', 'slug or id')
    .option('--example <name>', 'only this example; repeatable', several)
    .option('--batch <id>', 'name of the evaluation; an evaluation with a known name runs only missing examples')
    .option('--wait <seconds>', 'seconds to wait for the end', seconds, 600)
    .addOption(new Option('--output <format>', 'output format').choices(['table', 'json']).default('table'))
    .action(async (slug: string, { example = [], batch, wait, output }: EvaluateOptions) => {
      const asked = { batchId: batch, examples: example, seconds: wait };
      const result = await evaluateAgent(await context.server(), slug, asked);
      if (output === 'json') await context.write(`${JSON.stringify(result)}\n`);
      else await context.write(textTable(['EXAMPLE', 'RESULT', 'EXECUTION', 'DIFFERENCE'], resultRows(result)));
      const { passed, failed, open, notCompared } = result;
      context.note(`${passed} passed, ${failed} failed, ${notCompared} not compared, ${open} not finished`);
      if (failed + open > 0) context.setExitCode(1);
    });
}

interface FilesOptions {
  readonly path?: string;
  readonly version?: string;
  readonly output: 'table' | 'json';
}

interface WorkspaceFile {
  readonly path: string;
  readonly size: number;
  readonly version: number;
  readonly createdAt: string;
  readonly content?: string;
  readonly contentBase64?: string;
}

function fileRow({ path, size, version, createdAt }: WorkspaceFile): string[] {
  return [path, String(size), String(version), createdAt];
}

interface EvaluateOptions {
  readonly example?: readonly string[];
  readonly batch?: string;
  readonly wait: number;
  readonly output: string;
}

function resultRows({ executions }: EvaluationResult): string[][] {
  return executions.map(({ exampleName, executionId, status, evaluation }) => {
    const [first] = evaluation?.differences ?? [];
    const difference = first === undefined ? '' : `${first.path}: ${first.message}`.slice(0, 80);
    return [
      exampleName,
      evaluation === null ? status : evaluation.passed ? 'passed' : 'failed',
      executionId,
      difference,
    ];
  });
}

function rowOf({ slug, name, latestVersion, sourceIntegrity, stats }: ListedAgent): string[] {
  return [slug, name, String(latestVersion ?? ''), sourceIntegrity, String(stats.totalExecutions)];
}
