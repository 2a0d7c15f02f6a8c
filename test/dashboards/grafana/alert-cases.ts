import type { ALERTS } from '#dashboards/grafana/alerts/all-rules.ts';

/**
 * Samples by series selector, in promtool's notation: `0+10x5` begins at 0 and grows by 10 five times, one sample a
 * minute.
 */
export type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly fires: {
    readonly series: Series;
    /** Time of the evaluation, counted from the first sample. */
    readonly at: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly summary: string;
  };
  /** Similar series for which the alert must not fire, each with the reason. */
  readonly quiet: readonly { readonly why: string; readonly series: Series; readonly at: string }[];
}

const requests = (status: number, route = '/api/events') =>
  `trapline_http_request_duration_seconds_count{job="trapline", instance="a", method="POST", route="${route}", status="${status}"}`;
const job = { job: 'trapline' };
const DELAY = 'trapline_detection_delay_seconds';
const DELIVERY = 'trapline_output_delivery_seconds';
const ONE = '{job="trapline", instance="a"}';
const le = (bucket: string) => `{job="trapline", instance="a", le="${bucket}"}`;

/** For every alert, series for which it fires and series for which it does not. */
export const CASES: Readonly<Record<(typeof ALERTS)[number]['alert'], AlertCase>> = {
  TraplineErrorBudgetBurnsFast: {
    fires: {
      series: { [requests(200)]: '0+98x120', [requests(500)]: '0+1x120', [requests(503)]: '0+1x120' },
      at: '1h',
      labels: job,
      summary: 'The API of trapline fails 2% of its requests',
    },
    quiet: [
      { why: 'within the budget', series: { [requests(200)]: '0+199x400', [requests(500)]: '0+1x400' }, at: '6h' },
      {
        why: 'it was over 40 minutes ago',
        series: { [requests(200)]: '0+98x120', [requests(500)]: '0+2x60 120x60' },
        at: '1h41m',
      },
      { why: 'readiness says what it should', series: { [requests(503, '/readyz')]: '0+10x120' }, at: '1h' },
      {
        why: 'a service behind a scraper failed',
        series: { [requests(200)]: '0+9x120', [requests(502)]: '0+1x120' },
        at: '1h',
      },
      {
        why: 'few failures of few requests',
        series: { [requests(200)]: '0+1x120', [requests(500)]: '0x50 9x70' },
        at: '52m',
      },
    ],
  },
  TraplineErrorBudgetBurnsSlowly: {
    fires: {
      series: { [requests(200)]: '0+996x300', [requests(500)]: '0+4x300' },
      at: '4h',
      labels: job,
      summary: 'The API of trapline has failed 0.4% of its requests for hours',
    },
    quiet: [
      { why: 'within the budget', series: { [requests(200)]: '0+1999x300', [requests(500)]: '0+1x300' }, at: '4h' },
    ],
  },
  TraplineDetectionsLateFast: {
    fires: {
      series: { [`${DELAY}_count${ONE}`]: '0+10x120', [`${DELAY}_bucket${le('60')}`]: '0+7x120' },
      at: '1h',
      labels: job,
      summary: '30% of the detections of trapline are more than a minute late',
    },
    quiet: [
      {
        why: 'within the budget',
        series: { [`${DELAY}_count${ONE}`]: '0+200x400', [`${DELAY}_bucket${le('60')}`]: '0+199x400' },
        at: '6h',
      },
      {
        why: 'few late ones of few',
        series: { [`${DELAY}_count${ONE}`]: '0x50 4x70', [`${DELAY}_bucket${le('60')}`]: '0x120' },
        at: '52m',
      },
    ],
  },
  TraplineDetectionsLateSlowly: {
    fires: {
      series: { [`${DELAY}_count${ONE}`]: '0+100x300', [`${DELAY}_bucket${le('60')}`]: '0+96x300' },
      at: '4h',
      labels: job,
      summary: '4% of the detections of trapline have been late for hours',
    },
    quiet: [
      {
        why: 'within the budget',
        series: { [`${DELAY}_count${ONE}`]: '0+200x300', [`${DELAY}_bucket${le('60')}`]: '0+199x300' },
        at: '4h',
      },
    ],
  },
  TraplineDeliveriesLateFast: {
    fires: {
      series: { [`${DELIVERY}_count${ONE}`]: '0+10x120', [`${DELIVERY}_bucket${le('300')}`]: '0+8x120' },
      at: '1h',
      labels: job,
      summary: '20% of the messages of trapline reach their receivers late',
    },
    quiet: [
      {
        why: 'within the budget',
        series: { [`${DELIVERY}_count${ONE}`]: '0+200x400', [`${DELIVERY}_bucket${le('300')}`]: '0+199x400' },
        at: '6h',
      },
    ],
  },
  TraplineDeliveriesLateSlowly: {
    fires: {
      series: { [`${DELIVERY}_count${ONE}`]: '0+100x300', [`${DELIVERY}_bucket${le('300')}`]: '0+96x300' },
      at: '4h',
      labels: job,
      summary: '4% of the messages of trapline have been late for hours',
    },
    quiet: [
      {
        why: 'within the budget',
        series: { [`${DELIVERY}_count${ONE}`]: '0+200x300', [`${DELIVERY}_bucket${le('300')}`]: '0+199x300' },
        at: '4h',
      },
    ],
  },
  TraplineInsertsFail: {
    fires: {
      series: {
        'trapline_landing_failing_seconds{job="trapline", instance="a"}': '0x5 30+60x10',
        'trapline_landing_failing_seconds{job="trapline", instance="b"}': '0x20',
      },
      at: '10m',
      labels: job,
      summary: 'trapline has stored no events for 4m 30s',
    },
    quiet: [
      {
        why: 'ClickHouse was restarted',
        series: { 'trapline_landing_failing_seconds{job="trapline", instance="a"}': '0x5 20 80 0x10' },
        at: '10m',
      },
    ],
  },
  TraplineDiskLow: {
    fires: {
      series: {
        'trapline_disk_free_bytes{job="trapline", instance="a", disk="data directory"}': '5e9x30',
        'trapline_disk_total_bytes{job="trapline", instance="a", disk="data directory"}': '100e9x30',
        'trapline_disk_free_bytes{job="trapline", instance="a", disk="default"}': '50e9x30',
        'trapline_disk_total_bytes{job="trapline", instance="a", disk="default"}': '100e9x30',
      },
      at: '15m',
      labels: { ...job, disk: 'data directory' },
      summary: 'The disk data directory of trapline has 5% free space',
    },
    quiet: [
      {
        why: 'a merge took space for some minutes',
        series: {
          'trapline_disk_free_bytes{job="trapline", instance="a", disk="default"}': '50e9x5 5e9x5 50e9x20',
          'trapline_disk_total_bytes{job="trapline", instance="a", disk="default"}': '100e9x30',
        },
        at: '15m',
      },
    ],
  },
  TraplineBackupOld: {
    fires: {
      series: {
        'trapline_last_backup_timestamp_seconds{job="trapline", instance="a"}': '60x4500',
        'trapline_last_backup_timestamp_seconds{job="trapline", instance="b"}': '60x4500',
      },
      at: '3d1m',
      labels: job,
      summary: 'The last backup of trapline is 3d 0h 0m 0s old',
    },
    quiet: [
      {
        why: 'no backup was ever made',
        series: { 'trapline_last_backup_timestamp_seconds{job="trapline", instance="a"}': '0x4500' },
        at: '3d',
      },
      {
        why: 'a backup was made on the second day; the other process has not read it yet',
        series: {
          'trapline_last_backup_timestamp_seconds{job="trapline", instance="a"}': '60x2000 120000x2500',
          'trapline_last_backup_timestamp_seconds{job="trapline", instance="b"}': '60x4500',
        },
        at: '3d',
      },
    ],
  },
  TraplineIngestBehind: {
    fires: {
      series: {
        'trapline_pipeline_lag_records{job="trapline", instance="a", topic="events.v1", partition="0"}': '60000x30',
        'trapline_pipeline_lag_records{job="trapline", instance="b", topic="events.v1", partition="1"}': '60000x30',
      },
      at: '20m',
      labels: { ...job, topic: 'events.v1' },
      summary: '120k records of events.v1 are not stored',
    },
    quiet: [
      {
        why: 'it is caught up with in time',
        series: {
          'trapline_pipeline_lag_records{job="trapline", instance="a", topic="events.v1", partition="0"}':
            '500000x10 100x20',
        },
        at: '20m',
      },
    ],
  },
  TraplineIngestStalled: {
    fires: {
      series: {
        'trapline_pipeline_waiting_seconds{job="trapline", instance="a", topic="events.v1", partition="3"}': '0+60x10',
      },
      at: '6m',
      labels: { ...job, topic: 'events.v1', partition: '3' },
      summary: 'No record of events.v1/3 has been stored for 6m 0s',
    },
    quiet: [
      {
        why: 'slow, but it lands',
        series: {
          'trapline_pipeline_waiting_seconds{job="trapline", instance="a", topic="events.v1", partition="3"}': '90x10',
        },
        at: '10m',
      },
    ],
  },
  TraplinePartitionsUnread: {
    fires: {
      series: {
        'trapline_kafka_assigned_partitions{job="trapline", instance="a"}': '0x10',
        'trapline_kafka_assigned_partitions{job="trapline", instance="b"}': '0x10',
      },
      at: '6m',
      labels: job,
      summary: 'No process of trapline reads events',
    },
    quiet: [
      {
        why: 'another process has them all',
        series: {
          'trapline_kafka_assigned_partitions{job="trapline", instance="a"}': '0x10',
          'trapline_kafka_assigned_partitions{job="trapline", instance="b"}': '12x10',
        },
        at: '6m',
      },
    ],
  },
  TraplineDeadLetters: {
    fires: {
      series: {
        'trapline_events_total{job="trapline", instance="a", result="accepted"}': '0+90x20',
        'trapline_events_total{job="trapline", instance="a", result="rejected"}': '0+10x20',
        'trapline_events_total{job="trapline", instance="a", result="already_landed"}': '0+900x20',
      },
      at: '15m',
      labels: job,
      summary: '10% of the records that trapline receives are rejected',
    },
    quiet: [
      {
        why: 'one of many',
        series: {
          'trapline_events_total{job="trapline", instance="a", result="accepted"}': '0+9950x20',
          'trapline_events_total{job="trapline", instance="a", result="rejected"}': '0+50x20',
        },
        at: '15m',
      },
      {
        why: 'a person sends a few malformed events while testing',
        series: {
          'trapline_events_total{job="trapline", instance="a", result="accepted"}': '0x20',
          'trapline_events_total{job="trapline", instance="a", result="rejected"}': '0x9 5x10',
        },
        at: '15m',
      },
    ],
  },
  TraplineRulesForget: {
    fires: {
      series: { 'trapline_detection_evictions_total{job="trapline", instance="a"}': '0x5 7x10' },
      at: '8m',
      labels: job,
      summary: 'The rules of trapline evicted 7 programs within an hour',
    },
    quiet: [
      {
        why: 'long ago',
        series: { 'trapline_detection_evictions_total{job="trapline", instance="a"}': '7x100' },
        at: '90m',
      },
    ],
  },
  TraplineDetectorKeyRefused: {
    fires: {
      series: {
        'trapline_http_request_duration_seconds_count{job="trapline", instance="a", method="POST", route="/api/events", status="401"}':
          '0+2x60',
      },
      at: '30m',
      labels: job,
      summary: '20 submissions of events were rejected in 10 minutes because of their key',
    },
    quiet: [
      {
        why: 'events are accepted',
        series: {
          'trapline_http_request_duration_seconds_count{job="trapline", instance="a", method="POST", route="/api/events", status="200"}':
            '0+60x60',
        },
        at: '30m',
      },
      {
        why: 'a key was mistyped and corrected',
        series: {
          'trapline_http_request_duration_seconds_count{job="trapline", instance="a", method="POST", route="/api/events", status="401"}':
            '0x5 3x55',
        },
        at: '30m',
      },
    ],
  },
  TraplineEnrolledDetectorSilent: {
    fires: {
      series: {
        'trapline_enrolled_detectors{job="trapline", instance="a", state="silent"}': '2x30',
        'trapline_enrolled_detectors{job="trapline", instance="b", state="silent"}': '2x30',
      },
      at: '20m',
      labels: job,
      summary: '2 enrolled detectors have not reported for 10 minutes',
    },
    quiet: [
      {
        why: 'all report',
        series: { 'trapline_enrolled_detectors{job="trapline", instance="a", state="silent"}': '0x30' },
        at: '20m',
      },
      {
        why: 'a host was restarted',
        series: { 'trapline_enrolled_detectors{job="trapline", instance="a", state="silent"}': '0x5 1x3 0x20' },
        at: '20m',
      },
    ],
  },
  TraplineDetectorSilent: {
    fires: {
      series: {
        'trapline_detector_last_event_timestamp_seconds{job="trapline", instance="a", hostname="edge-1"}': '0x600',
        'trapline_detector_last_event_timestamp_seconds{job="trapline", instance="b", hostname="edge-1"}': '0x600',
        'trapline_detector_usual_gap_seconds{job="trapline", instance="a", hostname="edge-1"}': '3600x600',
      },
      at: '5h',
      labels: { ...job, hostname: 'edge-1' },
      summary: 'edge-1 has sent nothing for 5h 0m 0s',
    },
    quiet: [
      {
        why: 'it sends',
        series: {
          'trapline_detector_last_event_timestamp_seconds{job="trapline", instance="a", hostname="edge-1"}': '0+60x600',
          'trapline_detector_usual_gap_seconds{job="trapline", instance="a", hostname="edge-1"}': '3600x600',
        },
        at: '5h',
      },
      {
        why: 'it is often silent for so long',
        series: {
          'trapline_detector_last_event_timestamp_seconds{job="trapline", instance="a", hostname="edge-1"}': '0x600',
          'trapline_detector_usual_gap_seconds{job="trapline", instance="a", hostname="edge-1"}': '36000x600',
        },
        at: '5h',
      },
      {
        why: 'another process has received its events since',
        series: {
          'trapline_detector_last_event_timestamp_seconds{job="trapline", instance="a", hostname="edge-1"}': '0x600',
          'trapline_detector_last_event_timestamp_seconds{job="trapline", instance="b", hostname="edge-1"}': '0+60x600',
          'trapline_detector_usual_gap_seconds{job="trapline", instance="a", hostname="edge-1"}': '3600x600',
        },
        at: '5h',
      },
    ],
  },
  TraplineSiemWriteFailures: {
    fires: {
      series: { 'trapline_siem_write_failures_total{job="trapline", instance="a"}': '0x5 3x5' },
      at: '6m',
      labels: { ...job, instance: 'a' },
      summary: 'a could not append 3 records to the SIEM file',
    },
    quiet: [
      {
        why: 'long ago',
        series: { 'trapline_siem_write_failures_total{job="trapline", instance="a"}': '3x20' },
        at: '15m',
      },
    ],
  },
  TraplineOutputBlocked: {
    fires: {
      series: {
        'trapline_output_waiting_seconds{job="trapline", instance="a", output="soc", type="syslog"}': '0+60x30',
        'trapline_output_waiting_seconds{job="trapline", instance="a", output="chat", type="chat"}': '0x30',
      },
      at: '22m',
      labels: { ...job, output: 'soc', type: 'syslog' },
      summary: 'The output soc has been behind for 22m 0s',
    },
    quiet: [
      {
        why: 'its receiver was restarted',
        series: {
          'trapline_output_waiting_seconds{job="trapline", instance="a", output="soc", type="syslog"}': '0+60x16 0x20',
        },
        at: '22m',
      },
    ],
  },
  TraplineRequestLogLost: {
    fires: {
      series: {
        'trapline_api_log_records_total{job="trapline", instance="a", result="dropped"}': '0x5 1000x10',
        'trapline_api_log_records_total{job="trapline", instance="a", result="written"}': '0+100x20',
      },
      at: '10m',
      labels: { ...job, instance: 'a' },
      summary: 'a dropped 1k records of requests',
    },
    quiet: [
      {
        why: 'all are written',
        series: { 'trapline_api_log_records_total{job="trapline", instance="a", result="written"}': '0+100x20' },
        at: '10m',
      },
    ],
  },
  TraplineStoreUnavailable: {
    fires: {
      series: {
        'trapline_component_up{job="trapline", instance="a", component="redis"}': '1 0x10',
        'trapline_component_up{job="trapline", instance="b", component="redis"}': '1 0x10',
        'trapline_component_up{job="trapline", instance="a", component="postgres"}': '1x11',
      },
      at: '5m',
      labels: { ...job, component: 'redis' },
      summary: 'redis is unavailable for 2 processes of trapline',
    },
    quiet: [
      {
        why: 'it was restarted',
        series: { 'trapline_component_up{job="trapline", instance="a", component="redis"}': '1 0 0 1x10' },
        at: '5m',
      },
    ],
  },
  TraplineProcessDown: {
    fires: {
      series: {
        'up{job="trapline", instance="a"}': '1x3 0x10',
        'up{job="trapline", instance="b"}': '1x13',
        'trapline_component_up{job="trapline", instance="a", component="redis"}': '1x3 _x10',
      },
      at: '8m',
      labels: { ...job, instance: 'a' },
      summary: 'a of trapline does not respond',
    },
    quiet: [
      { why: 'not ours', series: { 'up{job="node", instance="a"}': '0x10' }, at: '8m' },
      {
        why: 'it was restarted',
        series: {
          'up{job="trapline", instance="a"}': '1 0 1x10',
          'trapline_component_up{job="trapline", instance="a", component="redis"}': '1x10',
        },
        at: '8m',
      },
    ],
  },
  TraplineCertificateExpires: {
    fires: {
      // promtool begins at 1970-01-01: the value is the time of the evaluation plus the rest of the validity.
      series: {
        'trapline_tls_certificate_expiry_timestamp_seconds{job="trapline", instance="a"}': '871200x130',
        'trapline_tls_certificate_expiry_timestamp_seconds{job="trapline", instance="b"}': '9999999x130',
      },
      at: '2h',
      labels: job,
      summary: 'The TLS certificate of trapline expires in 10d 0h 0m 0s',
    },
    quiet: [
      {
        why: 'it is valid for three weeks',
        series: { 'trapline_tls_certificate_expiry_timestamp_seconds{job="trapline", instance="a"}': '1821600x130' },
        at: '2h',
      },
      {
        why: 'it was replaced within the hour',
        series: {
          'trapline_tls_certificate_expiry_timestamp_seconds{job="trapline", instance="a"}': '871200x50 9999999x80',
        },
        at: '2h',
      },
    ],
  },
  TraplineExecutionsWait: {
    fires: {
      series: {
        'trapline_executions_pending_seconds{job="trapline", instance="a", kind="workflow"}': '0+60x20',
        'trapline_executions_pending_seconds{job="trapline", instance="b", kind="workflow"}': '0+60x20',
        'trapline_executions_pending_seconds{job="trapline", instance="a", kind="agent"}': '0x20',
      },
      at: '12m',
      labels: { ...job, kind: 'workflow' },
      summary: 'An execution (workflow) has been waiting for a worker for 12m 0s',
    },
    quiet: [
      {
        why: 'workers are slow, but they get on',
        series: { 'trapline_executions_pending_seconds{job="trapline", instance="a", kind="workflow"}': '200x20' },
        at: '12m',
      },
    ],
  },
};
