import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function registerApi(program: Command, context: CommandContext): void {
  program.command('api').action(async () => {
    const { runApi } = await import('../../processes/api.ts');
    await runApi({ config: await context.platformConfig() });
  });
}
