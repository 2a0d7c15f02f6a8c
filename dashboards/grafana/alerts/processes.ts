import type { Alert, RuleGroup } from './rule.ts';

const storeUnavailable: Alert = {
  alert: 'TraplineStoreUnavailable',
  expr: 'count by (job, component) (trapline_component_up{component!="disk"} == 0)',
  for: '3m',
  urgency: 'page',
  summary: '{{ $labels.component }} is unavailable for {{ $value }} processes of {{ $labels.job }}',
  description:
    'Without PostgreSQL, requests that need an account fail. Without ClickHouse, nothing is stored or read. Without Redis, users cannot sign in. Without Kafka, no records arrive. All components recover without a restart.',
};

/** Jobs of Trapline: those that reported one of its metrics within a day. */
const processDown: Alert = {
  alert: 'TraplineProcessDown',
  expr: 'up == 0 and on (job) count by (job) (last_over_time(trapline_component_up[1d]))',
  for: '3m',
  urgency: 'page',
  summary: '{{ $labels.instance }} of {{ $labels.job }} does not respond',
  description:
    'The process has ended, hangs, or rejects Prometheus. Other processes of its role take over its work. Nothing that it acknowledged is lost.',
};

const executionsWait: Alert = {
  alert: 'TraplineExecutionsWait',
  expr: 'max by (job, kind) (trapline_executions_pending_seconds) > 300',
  for: '5m',
  urgency: 'ticket',
  summary: 'An execution ({{ $labels.kind }}) has been waiting for a worker for {{ $value | humanizeDuration }}',
  description:
    'No worker is running, all are busy, or they cannot reach PostgreSQL. Executions started by detections, schedules and users are late. No execution is lost.',
};

/** A process without HTTPS does not export the metric. */
const certificateExpires: Alert = {
  alert: 'TraplineCertificateExpires',
  expr: 'min by (job) (trapline_tls_certificate_expiry_timestamp_seconds > 0) - time() < 14 * 86400',
  for: '1h',
  urgency: 'ticket',
  summary: 'The TLS certificate of {{ $labels.job }} expires in {{ $value | humanizeDuration }}',
  description:
    'After that, clients and detectors refuse the connection. Detectors keep their events and send them when the certificate is valid. A new certificate is used without a restart.',
};

export const processes: RuleGroup = {
  name: 'trapline-processes',
  rules: [storeUnavailable, processDown, executionsWait, certificateExpires],
};
