import { board } from '../board.ts';
import { chosen, nameVariable } from '../data-sources.ts';
import { figure, lines, table } from '../panels.ts';
import { hexadecimal, of, overTime, promql, promqlNow, rows } from '../queries.ts';

const LAST = of('trapline_detector_last_event_timestamp_seconds');
const USUAL = of('trapline_detector_usual_gap_seconds');
const WANTED = chosen('hostname', 'host');
const RECEIVED = `$__timeFilter(received) AND ${WANTED}`;

/** Hosts that send events, silent hosts, wrong clocks, and changed settings. */
export const detectors = board({
  uid: 'trapline-detectors',
  title: 'Detectors',
  description: 'Hosts that send events: active hosts, silent hosts, clocks, tampering, suppressed messages.',
  from: 'now-24h',
  variables: [nameVariable('host', 'hostname', 'Host')],
  rows: [
    {
      title: 'Now',
      panels: [
        figure({
          title: 'Active hosts',
          queries: [rows(`SELECT uniqExact(hostname) AS hosts FROM events WHERE ${RECEIVED}`)],
        }),
        figure({
          title: 'Unusually silent hosts',
          description: 'Hosts silent for more than twice their longest silence of the last two weeks, plus an hour.',
          limits: { bad: 1 },
          queries: [
            promql(
              `count(time() - max by (job, hostname) (${LAST}) > 2 * max by (job, hostname) (${USUAL}) + 3600) or vector(0)`,
              'silent',
            ),
          ],
        }),
        figure({
          title: 'Setting mismatches',
          description: 'Events of the type ConfigMismatch: a kernel setting of the detector was reverted.',
          limits: { bad: 1 },
          queries: [rows(`SELECT countIf(type = 'ConfigMismatch') AS changed FROM events WHERE ${RECEIVED}`)],
        }),
        figure({
          title: 'Crashes not logged by the kernel',
          queries: [
            rows(`SELECT sumIf(count, type = 'LinuxSuppressedCallback') AS not_logged FROM events WHERE ${RECEIVED}`),
          ],
        }),
        figure({
          title: 'Delay, p95',
          description: 'From the time of an event (clock of its host) to its receipt.',
          unit: 's',
          queries: [
            rows(
              `SELECT quantile(0.95)(toUnixTimestamp64Milli(received) - intDiv(toUnixTimestamp64Nano(timestamp), 1000000)) / 1000 AS delay
FROM events WHERE ${RECEIVED}`,
            ),
          ],
        }),
        figure({
          title: 'Events',
          queries: [rows(`SELECT count() AS events FROM events WHERE ${RECEIVED}`)],
        }),
      ],
    },
    {
      title: 'Hosts',
      panels: [
        lines({
          title: 'Events by host, top ten',
          stacked: true,
          queries: [
            overTime(
              `SELECT $__timeInterval(received) AS at, ifNull(hostname, '') AS host, count() AS events FROM events
WHERE ${RECEIVED} AND hostname IN (
  SELECT hostname FROM events WHERE ${RECEIVED} GROUP BY hostname ORDER BY count() DESC LIMIT 10
) GROUP BY at, host ORDER BY at`,
            ),
          ],
        }),
        lines({
          title: 'Longest silence',
          unit: 's',
          queries: [promql(`topk(10, time() - max by (hostname) (${LAST}))`, '{{hostname}}')],
        }),
        table({
          title: 'Hosts',
          description: 'A negative delay means that the clock of the host is ahead.',
          queries: [
            rows(
              `SELECT ifNull(hostname, '') AS host, max(received) AS last_received, max(timestamp) AS last_event, count() AS events,
  countIf(type = 'LinuxKernelTrap') AS traps, countIf(type = 'LinuxFatalSignal') AS signals, sumIf(count, type = 'LinuxSuppressedCallback') AS not_logged,
  countIf(type = 'ConfigMismatch') AS changed_settings, uniqExact(procname) AS programs,
  round(quantile(0.5)(toUnixTimestamp64Milli(received) - intDiv(toUnixTimestamp64Nano(timestamp), 1000000)) / 1000, 3) AS median_delay_s
FROM events WHERE ${RECEIVED} GROUP BY host ORDER BY last_received DESC, host LIMIT 1000`,
            ),
          ],
        }),
        table({
          title: 'Usual silence by host, seconds',
          queries: [promqlNow(`max by (hostname) (${USUAL})`)],
        }),
      ],
    },
    {
      title: 'Events about detectors',
      panels: [
        table({
          title: 'Changed settings',
          width: 12,
          queries: [
            rows(
              `SELECT timestamp, ifNull(hostname, '') AS host, JSONExtractString(detector_raw, 'event', 'key') AS setting,
  JSONExtractString(detector_raw, 'event', 'expected_value') AS expected, JSONExtractString(detector_raw, 'event', 'observed_value') AS observed
FROM events WHERE ${RECEIVED} AND type = 'ConfigMismatch' ORDER BY timestamp DESC LIMIT 100`,
            ),
          ],
        }),
        table({
          title: 'Suppressed messages',
          width: 12,
          queries: [
            rows(
              `SELECT timestamp, ifNull(hostname, '') AS host, ifNull(function_name, '') AS function, toString(count) AS messages, level, facility
FROM events WHERE ${RECEIVED} AND type = 'LinuxSuppressedCallback' ORDER BY timestamp DESC LIMIT 100`,
            ),
          ],
        }),
        table({
          title: 'Latest events',
          description: 'Exact addresses in hexadecimal, and the received JSON.',
          queries: [
            rows(
              `SELECT received, timestamp, ifNull(hostname, '') AS host, type, ifNull(procname, '') AS program, ${hexadecimal('ip')},
  ${hexadecimal('sp')}, ${hexadecimal('vmastart')}, ${hexadecimal('location')}, raw
FROM events WHERE ${RECEIVED} ORDER BY received DESC, topic, partition, offset DESC LIMIT 200`,
            ),
          ],
        }),
      ],
    },
  ],
});
