import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerStart(program: Command, context: CommandContext): void {
  program
    .command('start')
    .option('--no-demo', "leave out the bundled capture that is replayed at a data directory's first start")
    .action(async ({ demo }: { demo: boolean }) => {
      const { runStart } = await import('../../processes/start.ts');
      await runStart({ config: await context.platformConfig(), demo, note: context.note });
    });
}
