import type { Alert, RuleGroup } from './rule.ts';

const behind: Alert = {
  alert: 'TraplineIngestBehind',
  expr: 'sum by (job, topic) (trapline_pipeline_lag_records) > 100000',
  for: '15m',
  urgency: 'ticket',
  summary: '{{ $value | humanize }} records of {{ $labels.topic }} are not stored',
  description:
    'More records arrive than are stored, or a process was unavailable. Detections are late. No record is lost while Kafka keeps the records.',
};

const stalled: Alert = {
  alert: 'TraplineIngestStalled',
  expr: 'max by (job, topic, partition) (trapline_pipeline_waiting_seconds) > 120',
  for: '2m',
  urgency: 'page',
  summary:
    'No record of {{ $labels.topic }}/{{ $labels.partition }} has been stored for {{ $value | humanizeDuration }}',
  description:
    'Accepted records cannot be stored or committed: ClickHouse, Kafka or the schema registry does not respond, or rejects them. There are no new detections for these hosts.',
};

const unread: Alert = {
  alert: 'TraplinePartitionsUnread',
  expr: 'sum by (job) (trapline_kafka_assigned_partitions) == 0',
  for: '5m',
  urgency: 'page',
  summary: 'No process of {{ $labels.job }} reads events',
  description:
    'Processes that read from Kafka are running, and none has a partition. The topic is missing, or the consumer group cannot form.',
};

const refused = 'sum by (job) (rate(trapline_events_total{result="rejected"}[10m]))';
const judged = 'sum by (job) (rate(trapline_events_total{result=~"accepted|rejected"}[10m]))';

const deadLetters: Alert = {
  alert: 'TraplineDeadLetters',
  expr: `${refused} / ${judged} > 0.01 and sum by (job) (increase(trapline_events_total{result="rejected"}[10m])) >= 10`,
  for: '5m',
  urgency: 'ticket',
  summary: '{{ $value | humanizePercentage }} of the records that {{ $labels.job }} receives are rejected',
  description:
    'Rejected records are stored completely as dead letters and cause no detections. Often, a detector was updated, or an unauthorised producer writes into the topic.',
};

const forgets: Alert = {
  alert: 'TraplineRulesForget',
  expr: 'sum by (job) (increase(trapline_detection_evictions_total[1h])) > 0',
  for: '0m',
  urgency: 'ticket',
  summary: 'The rules of {{ $labels.job }} evicted {{ $value | humanize }} programs within an hour',
  description:
    'More programs crash than fit into the memory of the rules, so the programs with the least evidence were evicted. A slow probe of one of them may be missed. An attacker may flood the service for this purpose.',
};

export const ingest: RuleGroup = { name: 'trapline-ingest', rules: [behind, stalled, unread, deadLetters, forgets] };
