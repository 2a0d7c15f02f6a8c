import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerWorker(program: Command, context: CommandContext): void {
  program.command('worker').action(async () => {
    const { runWorker } = await import('../../processes/worker.ts');
    await runWorker({ config: await context.platformConfig() });
  });
}
