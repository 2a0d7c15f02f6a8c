import type { Migration } from './migration.ts';

const REGISTER_INDEX = 'register_values register TYPE set(16) GRANULARITY 8';

/** Lets lists of probes of one register leave out what has none. */
export const eventRegisters: Migration = {
  number: 4,
  name: 'event-registers',
  async run({ clickhouse }) {
    const events = clickhouse.table('events');
    const later = { settings: { mutations_sync: '0' } } as const;
    // The first one was finer, and slower for it.
    await clickhouse.command(
      'drop the old index of registers',
      `ALTER TABLE ${events} DROP INDEX IF EXISTS register_set`,
      later,
    );
    await clickhouse.command(
      'add the index of registers',
      `ALTER TABLE ${events} ADD INDEX IF NOT EXISTS ${REGISTER_INDEX}`,
    );
    await clickhouse.command(
      'index the registers of old events',
      `ALTER TABLE ${events} MATERIALIZE INDEX register_values`,
      later,
    );
  },
};
