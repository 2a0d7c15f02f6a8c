import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerDemo(program: Command, context: CommandContext): void {
  const group = program.command('demo').description('the bundled capture of a real attack, as host "demo"');
  group
    .command('replay')
    .description('send the capture through the pipeline again, with current times')
    .action(async () => {
      const response = await (await context.server()).request('/api/demo', { method: 'POST' });
      const { events } = (await response.json()) as { events: number };
      context.note(`replayed ${events} events as host "demo"`);
    });
  group
    .command('remove')
    .description('remove the events and detections of the capture')
    .action(async () => {
      await (await context.server()).request('/api/demo', { method: 'DELETE' });
      context.note('demo data removed');
    });
}
