import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../context.ts';
import { createPercentProgress } from '../percent-progress.ts';

interface MigrateOptions {
  readonly partitions: number;
  readonly replication?: number;
}

export function registerMigrate(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .option(
      '--partitions <n>',
      'partitions of the events topic if it is created: the maximum number of ingest processes',
      wholeNumber,
      12,
    )
    .option(
      '--replication <n>',
      'replication factor of topics that are created (default: that of the brokers)',
      wholeNumber,
    )
    .action(async ({ partitions, replication }: MigrateOptions) => {
      const { prepareStores } = await import('../../prepare-stores.ts');
      const progress = createPercentProgress(context, 'migrated');
      await prepareStores(await context.config(), {
        partitions,
        replicationFactor: replication,
        progress: context.note,
        migrated: progress.update,
        done(line) {
          progress.end();
          return context.write(`${line}\n`);
        },
      });
    });
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Must be a positive whole number.');
  return Number(text);
}
