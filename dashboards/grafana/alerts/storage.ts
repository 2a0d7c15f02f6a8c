import type { Alert, RuleGroup } from './rule.ts';

const insertsFail: Alert = {
  alert: 'TraplineInsertsFail',
  expr: 'max by (job) (trapline_landing_failing_seconds) > 60',
  for: '1m',
  urgency: 'page',
  summary: '{{ $labels.job }} has stored no events for {{ $value | humanizeDuration }}',
  description:
    'Inserts into ClickHouse, or requests that they depend on, fail and are retried: its disk is full, or it is read-only, overloaded or unavailable. Nothing acknowledged is lost. New events are rejected with 503 or wait in Kafka.',
};

const diskLow: Alert = {
  alert: 'TraplineDiskLow',
  expr: 'min by (job, disk) (trapline_disk_free_bytes / trapline_disk_total_bytes) < 0.1',
  for: '10m',
  urgency: 'ticket',
  summary: 'The disk {{ $labels.disk }} of {{ $labels.job }} has {{ $value | humanizePercentage }} free space',
  description:
    'When the disk is full, nothing is stored any more. Merges of ClickHouse need additional space, and stop earlier.',
};

/** Installations that never used `trapline backup` have the value 0. */
const backupOld: Alert = {
  alert: 'TraplineBackupOld',
  expr: 'time() - max by (job) (trapline_last_backup_timestamp_seconds > 0) > 2 * 86400',
  for: '1h',
  urgency: 'ticket',
  summary: 'The last backup of {{ $labels.job }} is {{ $value | humanizeDuration }} old',
  description:
    'The scheduled `trapline backup` fails or no longer runs. Accounts, decisions and events since then would be lost with the stores.',
};

export const storage: RuleGroup = { name: 'trapline-storage', rules: [insertsFail, diskLow, backupOld] };
