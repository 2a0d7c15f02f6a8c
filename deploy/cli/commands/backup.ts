import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { backupName } from '../../backup/rotate.ts';
import { counted } from '../../counted.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { createStepProgress } from '../progress.ts';

interface BackupCommand {
  readonly clickhouseTo?: string;
  readonly into?: string;
  readonly keep?: number;
}

export function registerBackup(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .argument('[folder]', 'new folder for the backup; must not exist')
    .option('--into <folder>', 'instead: a folder of backups, in which the backup gets the name of its time')
    .option('--keep <count>', 'with --into: delete complete backups older than the newest ones', wholeCount)
    .option(
      '--clickhouse-to <destination>',
      'where a ClickHouse server writes its backup: disk:NAME/PATH, file:/PATH or s3:URL (with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY)',
    )
    .action(async (given: string | undefined, { clickhouseTo: destination, into, keep }: BackupCommand) => {
      const folder = backupFolder(given, into, keep);
      const config = await context.config();
      const { backUp } = await import('../../backup/back-up.ts');
      const { rowsOfAll } = await import('../../backup/questions.ts');
      const progress = createStepProgress(context);
      try {
        const { files, clickhouse, postgres } = await backUp(config, {
          folder,
          destination,
          progress,
          unrecorded: ({ message }) =>
            context.note(`the backup is complete, but the audit log does not record it: ${message}`),
        });
        progress.end();
        const events = rowsOfAll(clickhouse.answers, 'rows of events').reduce((sum, { rows }) => sum + Number(rows), 0);
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        await context.write(
          `${folder}: ${counted(events, 'event')}, ${counted(postgres.tables.length, 'PostgreSQL table')}, ` +
            `${counted(files.length, 'file')} of ${(bytes / 2 ** 20).toFixed(1)} MiB\n` +
            `${clickhouse.destination === undefined ? '' : `ClickHouse wrote its part to ${clickhouse.destination}\n`}` +
            'The secrets are not in it: keep AUTH_SECRET and JWT_SECRET at another place\n',
        );
        if (into === undefined || keep === undefined) return;
        const { deleteOutdated } = await import('../../backup/rotate.ts');
        const deleted = await deleteOutdated(resolve(into), keep);
        if (deleted.length > 0) await context.write(`deleted: ${deleted.join(', ')}\n`);
        if (deleted.length > 0 && destination !== undefined)
          context.note('the parts that ClickHouse wrote are not deleted: use a lifecycle rule of the bucket or disk');
      } finally {
        progress.end();
      }
    });
}

/** Returns the folder of the new backup. */
function backupFolder(given: string | undefined, into: string | undefined, keep: number | undefined): string {
  if ((given === undefined) === (into === undefined)) throw usageError('name either a folder or --into');
  if (keep !== undefined && into === undefined) throw usageError('--keep needs --into');
  return resolve(given ?? join(into ?? '', backupName(new Date())));
}

function wholeCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number of at least 1');
  return Number(text);
}
