import type { Alert, RuleGroup } from './rule.ts';

const siem: Alert = {
  alert: 'TraplineSiemWriteFailures',
  expr: 'sum by (job, instance) (increase(trapline_siem_write_failures_total[5m])) > 0',
  for: '0m',
  urgency: 'page',
  summary: '{{ $labels.instance }} could not append {{ $value | humanize }} records to the SIEM file',
  description:
    'These records are missing in the SIEM. The stores have them. The usual causes are a full disk and a file whose owner or mode was changed.',
};

const blocked: Alert = {
  alert: 'TraplineOutputBlocked',
  expr: 'max by (job, output, type) (trapline_output_waiting_seconds) > 900',
  for: '5m',
  urgency: 'ticket',
  summary: 'The output {{ $labels.output }} has been behind for {{ $value | humanizeDuration }}',
  description:
    'Its receiver does not accept messages about detections. They are stored in order and delivered when it does. Until then, its users receive no new detections.',
};

const requestsLost: Alert = {
  alert: 'TraplineRequestLogLost',
  expr: 'sum by (job, instance) (increase(trapline_api_log_records_total{result="dropped"}[10m])) > 0',
  for: '0m',
  urgency: 'ticket',
  summary: '{{ $labels.instance }} dropped {{ $value | humanize }} records of requests',
  description:
    'ClickHouse was unavailable for too long, or rejected the records. The log of requests has a gap. If a SIEM file is configured, it contains the records.',
};

export const handingOn: RuleGroup = { name: 'trapline-handing-on', rules: [siem, blocked, requestsLost] };
