import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerDemo(program: Command, context: CommandContext): void {
  const group = program.command('demo').description('the bundled capture of a real attack, as host "demo"');
  group
    .command('replay')
    .description('send it through the pipeline again, as if it had just happened')
    .action(async () => {
      const response = await (await context.server()).request('/api/demo', { method: 'POST' });
      const { events } = (await response.json()) as { events: number };
      context.note(`replayed ${events} events as host "demo"`);
    });
  group
    .command('remove')
    .description('take its events and detections away')
    .action(async () => {
      await (await context.server()).request('/api/demo', { method: 'DELETE' });
      context.note('the demo is removed');
    });
}
