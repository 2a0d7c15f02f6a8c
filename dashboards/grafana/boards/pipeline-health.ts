import { board } from '../board.ts';
import { figure, lines, table } from '../panels.ts';
import { of, overTime, promql, quantile, rate, rows } from '../queries.ts';

/** Received, stored and rejected records. */
export const pipelineHealth = board({
  uid: 'trapline-pipeline',
  title: 'Pipeline health',
  description: 'From Kafka or HTTP to ClickHouse: received, stored, rejected and waiting records.',
  from: 'now-6h',
  rows: [
    {
      title: 'Now',
      panels: [
        figure({
          title: 'Events stored',
          unit: 'eps',
          queries: [promql(`sum(${rate('trapline_events_total', 'result="accepted"')})`, 'stored')],
        }),
        figure({
          title: 'Rejected',
          unit: 'percentunit',
          limits: { warning: 0.01, bad: 0.2 },
          queries: [
            promql(
              `sum(${rate('trapline_events_total', 'result="rejected"')}) / sum(${rate('trapline_events_total', 'result=~"accepted|rejected"')})`,
              'rejected',
            ),
          ],
        }),
        figure({
          title: 'Records behind',
          description:
            'Records in Kafka that are not stored yet. Without Kafka, a sender waits until its events are stored, and the value is 0.',
          limits: { warning: 10_000, bad: 100_000 },
          queries: [promql(`sum(${of('trapline_pipeline_lag_records')})`, 'behind')],
        }),
        figure({
          title: 'Longest wait',
          unit: 's',
          limits: { warning: 30, bad: 120 },
          queries: [promql(`max(${of('trapline_pipeline_waiting_seconds')})`, 'wait')],
        }),
        figure({
          title: 'Components unavailable',
          limits: { bad: 1 },
          queries: [promql(`count(${of('trapline_component_up')} == 0) or vector(0)`, 'unavailable')],
        }),
        figure({
          title: 'Processes',
          queries: [promql(`count(${of('up')} == 1) or vector(0)`, 'running')],
        }),
      ],
    },
    {
      title: 'Received records',
      panels: [
        lines({
          title: 'Records by result',
          unit: 'eps',
          stacked: true,
          queries: [promql(`sum by (result) (${rate('trapline_events_total')})`, '{{result}}')],
        }),
        lines({
          title: 'Events by type',
          description: 'Stored events by time of receipt.',
          stacked: true,
          queries: [
            overTime(
              `SELECT $__timeInterval(received) AS at, type, count() AS events
FROM events WHERE $__timeFilter(received) GROUP BY at, type ORDER BY at`,
            ),
          ],
        }),
        lines({
          title: 'Records behind, by partition',
          limits: { bad: 100_000 },
          queries: [
            promql(`sum by (topic, partition) (${of('trapline_pipeline_lag_records')})`, '{{topic}}/{{partition}}'),
          ],
        }),
        lines({
          title: 'Age of the oldest unstored record, by partition',
          unit: 's',
          limits: { bad: 120 },
          queries: [
            promql(`max by (topic, partition) (${of('trapline_pipeline_waiting_seconds')})`, '{{topic}}/{{partition}}'),
          ],
        }),
      ],
    },
    {
      title: 'Rejected records',
      panels: [
        lines({
          title: 'Dead letters by reason',
          unit: 'eps',
          stacked: true,
          queries: [promql(`sum by (code) (${rate('trapline_dead_letters_total')})`, '{{code}}')],
        }),
        table({
          title: 'Reasons',
          width: 12,
          queries: [
            rows(
              `SELECT code, topic, count() AS records, countIf(redriven IS NOT NULL) AS sent_again, max(received) AS last
FROM dead_letters WHERE $__timeFilter(received) GROUP BY code, topic ORDER BY records DESC LIMIT 100`,
            ),
          ],
        }),
        table({
          title: 'Latest dead letters',
          description:
            'Show a record with `trapline dead-letters show ID`, and send it again with `trapline dead-letters redrive ID`.',
          queries: [
            rows(
              `SELECT received, concat(topic, '~', toString(partition), '~', toString(offset)) AS id, code, path, message,
  redrive_outcome, substringUTF8(raw, 1, 400) AS begins_with
FROM dead_letters WHERE $__timeFilter(received) ORDER BY received DESC, offset DESC LIMIT 100`,
            ),
          ],
        }),
      ],
    },
    {
      title: 'Pipeline steps',
      panels: [
        lines({
          title: 'Time per record, by step',
          unit: 's',
          queries: [
            promql(
              `sum by (step) (${rate('trapline_pipeline_step_seconds_total')}) / sum by (step) (${rate('trapline_pipeline_step_records_total')})`,
              '{{step}}',
            ),
          ],
        }),
        lines({
          title: 'Insert duration of a batch',
          unit: 's',
          queries: [0.5, 0.99].map((share) => quantile(share, 'trapline_pipeline_batch_seconds', 'step="land"')),
        }),
        lines({
          title: 'Records per batch',
          queries: [
            promql(
              `sum(${rate('trapline_pipeline_batch_records_sum')}) / sum(${rate('trapline_pipeline_batch_records_count')})`,
              'mean',
            ),
          ],
        }),
        lines({
          title: 'Retries, fencing and rebalances',
          unit: 'ops',
          queries: [
            promql(`sum by (operation) (${rate('trapline_pipeline_retries_total')})`, 'retries: {{operation}}'),
            promql(`sum(${rate('trapline_pipeline_fenced_total')})`, 'fenced'),
            promql(`sum(${rate('trapline_kafka_rebalances_total')})`, 'rebalances'),
            promql(`sum(${rate('trapline_kafka_liveness_restarts_total')})`, 'consumers restarted'),
          ],
        }),
      ],
    },
    {
      title: 'Processes',
      panels: [
        lines({
          title: 'Stores and components',
          description: '1: available, 0: unavailable or degraded.',
          queries: [
            promql(`min by (component, instance) (${of('trapline_component_up')})`, '{{component}} of {{instance}}'),
          ],
        }),
        lines({
          title: 'Partitions by process',
          stacked: true,
          queries: [promql(`sum by (instance) (${of('trapline_kafka_assigned_partitions')})`, '{{instance}}')],
        }),
        lines({
          title: 'Memory',
          unit: 'bytes',
          queries: [promql(of('trapline_process_resident_memory_bytes'), '{{instance}}')],
        }),
        lines({
          title: 'Event loop delay, p99',
          unit: 's',
          queries: [promql(of('trapline_nodejs_eventloop_lag_p99_seconds'), '{{instance}}')],
        }),
        lines({
          title: 'CPU time',
          unit: 'percentunit',
          queries: [promql(rate('trapline_process_cpu_seconds_total'), '{{instance}}')],
        }),
      ],
    },
  ],
});
