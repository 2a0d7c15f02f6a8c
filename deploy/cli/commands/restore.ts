import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { createStepProgress } from '../progress.ts';

interface RestoreFlags {
  readonly replace?: boolean;
  readonly check?: boolean;
  readonly verify?: boolean;
}

export function registerRestore(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .argument('<folder>', 'folder of a backup')
    .option('--check', 'only check that the backup is complete and matches this version and its secrets')
    .option('--replace', 'delete existing data first')
    .option('--verify', 'print each comparison with the backup')
    .action(async (folder: string, { replace = false, check, verify }: RestoreFlags) => {
      const config = await context.config();
      const { checkBackup, restore } = await import('../../backup/restore.ts');
      const progress = createStepProgress(context);
      const lines: string[] = [];
      try {
        const verified = (line: string) => void lines.push(line);
        const options = { folder: resolve(folder), replace, progress, verified };
        const { startedAt } = check
          ? await checkBackup(config, options.folder, progress)
          : await restore(config, options);
        progress.end();
        if (verify) await context.write(lines.map((line) => `${line}\n`).join(''));
        else for (const line of lines.filter((one) => one.startsWith('Kafka:'))) await context.write(`${line}\n`);
        await context.write(
          `${check ? 'complete and unchanged' : 'restored and verified'}: the backup of ${startedAt}\n`,
        );
      } finally {
        progress.end();
      }
    });
}
