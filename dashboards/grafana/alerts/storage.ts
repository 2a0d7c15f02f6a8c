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

export const storage: RuleGroup = { name: 'trapline-storage', rules: [insertsFail, diskLow] };
