import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { terminalText } from '#analytics/formats/terminal-text.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { requestExecution } from '../executions/api-paths.ts';
import { type BulkOptions, runBulkAction } from '../executions/bulk-action.ts';
import { type FollowedEvent, followExecution } from '../executions/follow.ts';
import { textTable } from '../executions/text-table.ts';

interface ListOptions {
  readonly workflow?: string;
  readonly agent?: string;
  readonly kind?: 'workflow' | 'agent';
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
  readonly offset: string;
  readonly output: 'table' | 'json';
}

interface ListedExecution {
  readonly id: string;
  /** Slug of the workflow or agent, in a list of both. */
  readonly name?: string;
  readonly status: string;
  readonly createdAt: string;
  readonly completedAt?: string | null;
  readonly triggerType?: string;
  readonly error?: string | null;
}

/** Long: each command is defined with its options. */
export function registerExecutions(program: Command, context: CommandContext): void {
  const group = program
    .command('executions')
    .description('list, follow, cancel and repeat executions of workflows and agents');
  const print = (value: unknown) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('list')
    .description('list executions, newest first: all that the key can see, or those of one workflow or agent')
    .option('--workflow <slug>', 'only of this workflow')
    .option('--agent <slug>', 'only of this agent')
    .addOption(new Option('--kind <kind>', 'only of workflows or only of agents').choices(['workflow', 'agent']))
    .option('--status <status>', 'only with these statuses, joined by commas')
    .option('--from <time>', 'created at or after this time: ISO 8601, or now()-7d (s, m, h, d, w)')
    .option('--to <time>', 'created at or before this time')
    .option('--limit <n>', 'maximum number, up to 100', '50')
    .option('--offset <n>', 'number of newest executions to skip', '0')
    .addOption(new Option('--output <format>', 'output format').choices(['table', 'json']).default('table'))
    .action((options: ListOptions) => list(options, context));

  group
    .command('show')
    .description('show one execution with all its steps, as JSON')
    .argument('<id>', 'exec_…')
    .action(async (id: string) => {
      const rest = { workflows: '?includeSteps=true', agents: '?include=feedback,expected,files' };
      const { response } = await requestExecution(await context.server(), id, rest);
      await context.write(`${JSON.stringify(await response.json(), null, 2)}\n`);
    });

  group
    .command('follow')
    .description(
      'print the past and new log entries of an execution until it ends; exit code 1 if it does not complete',
    )
    .argument('<id>', 'exec_…')
    .addOption(new Option('--output <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(async (id: string, { output }: { output: 'text' | 'json' }) => {
      let status = '';
      for await (const event of followExecution(await context.server(), id)) {
        if (event.event === 'status') status = (JSON.parse(event.data) as { status: string }).status;
        await context.write(`${output === 'json' ? event.data : lineOf(event)}\n`);
      }
      if (status !== 'completed') context.setExitCode(1);
    });

  group
    .command('cancel')
    .description('cancel an execution; its tasks in progress are aborted')
    .argument('<id>', 'exec_…')
    .action(async (id: string) => {
      const rest = { workflows: '/cancel', agents: '/cancel' };
      const { kind, response } = await requestExecution(await context.server(), id, rest, { method: 'POST' });
      const body = (await response.json()) as { execution?: { id: string; status: string } };
      await print(kind === 'agents' ? { executionId: body.execution?.id, status: body.execution?.status } : body);
    });

  for (const [name, description] of [
    ['suspend', 'suspend an execution of a workflow: its tasks in progress end, and no other step begins'],
    ['resume', 'resume a suspended execution'],
  ] as const)
    group
      .command(name)
      .description(description)
      .argument('<id>', 'exec_…')
      .action(async (id: string) => {
        const server = await context.server();
        const path = `/api/v1/executions/${encodeURIComponent(id)}/${name}`;
        await print(await (await server.request(path, { method: 'POST' })).json());
      });

  group
    .command('rerun')
    .description('run an execution again with the same input')
    .argument('<id>', 'exec_…')
    .option('--from <step>', 'for a workflow: step to start from; results of earlier steps are reused')
    .action(async (id: string, { from }: { from?: string }) => {
      const rest = { workflows: '/rerun', agents: '/rerun' };
      const body =
        from === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ fromStep: from }) };
      const { response } = await requestExecution(await context.server(), id, rest, { method: 'POST', ...body });
      await print(await response.json());
    });

  registerSignal(group, context);
  registerBulk(group, context);
}

interface SignalOptions {
  readonly type: string;
  readonly id?: string;
  readonly source: string;
  readonly data?: string;
  readonly wait?: string;
}

/** Adds `signal`: sends an event to one execution and prints the result. */
function registerSignal(group: Command, context: CommandContext): void {
  group
    .command('signal')
    .description('send an event to one execution; with --wait, print its reply; exit code 1 without one')
    .argument('<execution>', 'exec_…')
    .requiredOption('--type <type>', 'type of the event')
    .option('--data <json>', 'data of the event')
    .option('--id <id>', 'id of the event; a repeated id with the same source is ignored (default: a new id)')
    .option('--source <source>', 'source of the event', 'trapline-cli')
    .option('--wait <seconds>', 'seconds to wait for the reply, up to 60')
    .action(async (execution: string, { type, id, source, data, wait }: SignalOptions) => {
      const event = {
        specversion: '1.0',
        id: id ?? randomUUID(),
        source,
        type,
        ...(data === undefined ? {} : { data: jsonOf(data) }),
      };
      const query = wait === undefined ? '' : `?wait_for_reply=${encodeURIComponent(wait)}`;
      const path = `/api/v1/executions/${encodeURIComponent(execution)}/signals${query}`;
      const server = await context.server();
      const response = await server.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(event),
      });
      const body = (await response.json()) as { readonly state: string };
      await context.write(`${JSON.stringify(body)}\n`);
      if (wait !== undefined && body.state !== 'replied') context.setExitCode(1);
    });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('--data must be JSON');
  }
}

/** Adds `cancel-all` and `replay`. Both count the executions first, and act only with --yes. */
function registerBulk(group: Command, context: CommandContext): void {
  const bulk = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .requiredOption('--workflow <slug>', 'name or id of the workflow')
      .option('--from <time>', 'created at or after this time, ISO 8601')
      .option('--to <time>', 'created at or before this time')
      .option('--yes', 'apply the change; without it the executions are only counted');
  bulk('cancel-all', 'cancel the executions of a workflow that match a filter')
    .option('--status <status>', 'only with these statuses, joined by commas (default: all that have not ended)')
    .action((options: BulkOptions) => runBulkAction(context, 'cancel', options));
  bulk('replay', 'run the executions of a workflow that match a filter again, with the same input')
    .option('--status <status>', 'only with these statuses, joined by commas', 'failed')
    .addOption(
      new Option('--version <version>', 'version to run: latest, or same as each execution')
        .choices(['latest', 'same'])
        .default('latest'),
    )
    .action((options: BulkOptions) => runBulkAction(context, 'replay', options));
}

async function list(options: ListOptions, context: CommandContext): Promise<void> {
  const { workflow, agent, kind, status, from, to, limit, offset, output } = options;
  if (workflow !== undefined && agent !== undefined) throw usageError('--workflow and --agent exclude each other');
  const asked = { kind, status, workflow, agent, fromDate: from, toDate: to, limit, offset };
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const body = (await (await (await context.server()).request(`/api/v1/executions?${query}`)).json()) as {
    data: readonly ListedExecution[];
  };
  const found = body.data;
  if (output === 'json') return context.write(found.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const named = workflow === undefined && agent === undefined;
  const rows = found.map(({ id, name, status: state, triggerType, createdAt, completedAt, error }) => [
    id,
    ...(named ? [name ?? ''] : []),
    state,
    triggerType ?? '',
    createdAt,
    completedAt ?? '',
    (error ?? '').slice(0, 60),
  ]);
  return context.write(
    textTable(['ID', ...(named ? ['NAME'] : []), 'STATUS', 'TRIGGER', 'CREATED', 'COMPLETED', 'ERROR'], rows),
  );
}

/** Formats an event, e.g. `12:00:01.250  step    enrich  completed`. Errors include their message. */
function lineOf({ event, data }: FollowedEvent): string {
  const fields = JSON.parse(data) as Record<string, unknown>;
  const at = String(fields.at ?? fields.completedAt ?? fields.startedAt ?? '').slice(11, 23);
  if (event === 'status') return terminalText(`${at}  status  ${String(fields.status)}`);
  if (event === 'line') return terminalText(`${at}  ${String(fields.level).padEnd(6)}  ${String(fields.text)}`);
  const again = Number(fields.attempt) > 1 ? `  attempt ${String(fields.attempt)}` : '';
  const { detail, title } = (fields.error ?? {}) as { detail?: string; title?: string };
  const error = detail ?? title;
  const why = error === undefined ? '' : `  ${error}`;
  return terminalText(`${at}  step    ${String(fields.name)}  ${String(fields.status)}${again}${why}`);
}
