import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerStart(program: Command, context: CommandContext): void {
  program
    .command('start')
    .option('--no-demo', 'do not replay the bundled capture on the first start of a data directory')
    .action(async ({ demo }: { demo: boolean }) => {
      const { runStart } = await import('../../processes/start.ts');
      await runStart({ config: await context.platformConfig(), demo, note: context.note });
    });
}
