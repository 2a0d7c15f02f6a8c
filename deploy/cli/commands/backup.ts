import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../counted.ts';
import type { CommandContext } from '../context.ts';
import { createStepProgress } from '../progress.ts';

export function registerBackup(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .argument('<folder>', 'new folder for the backup; must not exist')
    .option(
      '--clickhouse-to <destination>',
      'where a ClickHouse server writes its backup: disk:NAME/PATH, file:/PATH or s3:URL (with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY)',
    )
    .action(async (folder: string, { clickhouseTo: destination }: { readonly clickhouseTo?: string }) => {
      const config = await context.config();
      const { backUp } = await import('../../backup/back-up.ts');
      const { rowsOfAll } = await import('../../backup/questions.ts');
      const progress = createStepProgress(context);
      try {
        const { files, clickhouse, postgres } = await backUp(config, {
          folder: resolve(folder),
          destination,
          progress,
        });
        progress.end();
        const events = rowsOfAll(clickhouse.answers, 'rows of events').reduce((sum, { rows }) => sum + Number(rows), 0);
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        await context.write(
          `${resolve(folder)}: ${counted(events, 'event')}, ${counted(postgres.tables.length, 'PostgreSQL table')}, ` +
            `${counted(files.length, 'file')} of ${(bytes / 2 ** 20).toFixed(1)} MiB\n` +
            `${clickhouse.destination === undefined ? '' : `ClickHouse wrote its part to ${clickhouse.destination}\n`}` +
            'The secrets are not in it: keep AUTH_SECRET and JWT_SECRET at another place\n',
        );
      } finally {
        progress.end();
      }
    });
}
