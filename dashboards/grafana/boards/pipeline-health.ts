import { board } from '../board.ts';
import { figure, lines, table } from '../panels.ts';
import { of, overTime, promql, quantile, rate, rows } from '../queries.ts';

/** Received, stored and rejected records. */
export const pipelineHealth = board({
  uid: 'trapline-pipeline',
  title: 'Pipeline health',
  description: 'From the topic or the HTTP way in to ClickHouse: what comes, what lands, what is refused, what waits.',
  from: 'now-6h',
  rows: [
    {
      title: 'Now',
      panels: [
        figure({
          title: 'Events landed',
          unit: 'eps',
          queries: [promql(`sum(${rate('trapline_events_total', 'result="accepted"')})`, 'landed')],
        }),
        figure({
          title: 'Refused',
          unit: 'percentunit',
          limits: { warning: 0.01, bad: 0.2 },
          queries: [
            promql(
              `sum(${rate('trapline_events_total', 'result="rejected"')}) / sum(${rate('trapline_events_total', 'result=~"accepted|rejected"')})`,
              'refused',
            ),
          ],
        }),
        figure({
          title: 'Records behind',
          description:
            'In Kafka and not landed. Without Kafka a sender waits until its events have landed, and nothing is behind.',
          limits: { warning: 10_000, bad: 100_000 },
          queries: [promql(`sum(${of('trapline_pipeline_lag_records')})`, 'behind')],
        }),
        figure({
          title: 'Longest wait',
          unit: 's',
          limits: { warning: 30, bad: 120 },
          queries: [promql(`max(${of('trapline_pipeline_waiting_seconds')})`, 'waits')],
        }),
        figure({
          title: 'Parts unavailable',
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
      title: 'What comes in',
      panels: [
        lines({
          title: 'Records by what became of them',
          unit: 'eps',
          stacked: true,
          queries: [promql(`sum by (result) (${rate('trapline_events_total')})`, '{{result}}')],
        }),
        lines({
          title: 'Events by type',
          description: 'As they lie in ClickHouse, by when they were received.',
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
          title: 'How long taken records wait, by partition',
          unit: 's',
          limits: { bad: 120 },
          queries: [
            promql(`max by (topic, partition) (${of('trapline_pipeline_waiting_seconds')})`, '{{topic}}/{{partition}}'),
          ],
        }),
      ],
    },
    {
      title: 'Refused records',
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
            'Look closer with `trapline dead-letters show ID`, send again with `trapline dead-letters redrive ID`.',
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
      title: 'Inside',
      panels: [
        lines({
          title: 'Time a record spends in a step',
          unit: 's',
          queries: [
            promql(
              `sum by (step) (${rate('trapline_pipeline_step_seconds_total')}) / sum by (step) (${rate('trapline_pipeline_step_records_total')})`,
              '{{step}}',
            ),
          ],
        }),
        lines({
          title: 'Landing a batch',
          unit: 's',
          queries: [0.5, 0.99].map((share) => quantile(share, 'trapline_pipeline_batch_seconds', 'step="land"')),
        }),
        lines({
          title: 'Records in a batch',
          queries: [
            promql(
              `sum(${rate('trapline_pipeline_batch_records_sum')}) / sum(${rate('trapline_pipeline_batch_records_count')})`,
              'mean',
            ),
          ],
        }),
        lines({
          title: 'Retried, fenced, reassigned',
          unit: 'ops',
          queries: [
            promql(`sum by (operation) (${rate('trapline_pipeline_retries_total')})`, 'again: {{operation}}'),
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
          title: 'Stores and parts',
          description: '1: works; 0: unavailable, or does less than it should.',
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
          title: 'Processor time',
          unit: 'percentunit',
          queries: [promql(rate('trapline_process_cpu_seconds_total'), '{{instance}}')],
        }),
      ],
    },
  ],
});
