import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerIngest(program: Command, context: CommandContext): void {
  program.command('ingest').action(async () => {
    const { runIngest } = await import('../../processes/ingest.ts');
    await runIngest({ config: await context.config() });
  });
}
