import { SEVERITIES } from '#schemas/detection.ts';
import { board } from '../board.ts';
import { chosen, nameVariable } from '../data-sources.ts';
import { figure, lines, table } from '../panels.ts';
import { hexadecimal, of, overTime, promql, rate, rows } from '../queries.ts';
import { traceLink } from '../traces.ts';

/** Condition for rows of detections or events that match the selected host and program. */
const WANTED = `${chosen('hostname', 'host')} AND ${chosen('procname', 'program')}`;
const DETECTED = `$__timeFilter(lastSeen) AND ${WANTED}`;
const ORDER = `[${SEVERITIES.map((severity) => `'${severity}'`).join(', ')}]`;

/** Detections by host and program, their triage, and their delivery. */
export const detections = board({
  uid: 'trapline-detections',
  title: 'Detections',
  description: 'Detections by rule, host and program, their evidence with exact addresses, and their delivery.',
  from: 'now-7d',
  variables: [nameVariable('host', 'hostname', 'Host'), nameVariable('program', 'procname', 'Program')],
  rows: [
    {
      title: 'Summary',
      panels: [
        figure({
          title: 'Detections',
          queries: [rows(`SELECT count() AS detections FROM detections WHERE ${DETECTED} AND exception IS NULL`)],
        }),
        figure({
          title: 'Not triaged',
          limits: { warning: 1, bad: 20 },
          queries: [
            rows(`SELECT countIf(status = 'new') AS untouched FROM detections WHERE ${DETECTED} AND exception IS NULL`),
          ],
        }),
        figure({
          title: 'Critical and high',
          limits: { bad: 1 },
          queries: [
            rows(
              `SELECT countIf(severity IN ('critical', 'high')) AS severe FROM detections WHERE ${DETECTED} AND exception IS NULL`,
            ),
          ],
        }),
        figure({
          title: 'Hosts',
          queries: [
            rows(`SELECT uniqExact(hostname) AS hosts FROM detections WHERE ${DETECTED} AND exception IS NULL`),
          ],
        }),
        figure({
          title: 'False positives',
          description: 'Share of detections with a verdict.',
          unit: 'percentunit',
          queries: [
            rows(
              `SELECT countIf(verdict = 'false_positive') / greatest(1, countIf(verdict IS NOT NULL)) AS false_positives
FROM detections WHERE ${DETECTED}`,
            ),
          ],
        }),
        figure({
          title: 'Silenced by an exception',
          queries: [rows(`SELECT countIf(exception IS NOT NULL) AS silenced FROM detections WHERE ${DETECTED}`)],
        }),
      ],
    },
    {
      title: 'Over time',
      panels: [
        lines({
          title: 'Detections by rule',
          stacked: true,
          queries: [
            overTime(
              `SELECT $__timeInterval(lastSeen) AS at, rule.id AS rule_id, count() AS detections
FROM detections WHERE ${DETECTED} GROUP BY at, rule_id ORDER BY at`,
            ),
          ],
        }),
        lines({
          title: 'Detections by severity',
          stacked: true,
          queries: [
            overTime(
              `SELECT $__timeInterval(lastSeen) AS at, severity, count() AS detections
FROM detections WHERE ${DETECTED} GROUP BY at, severity ORDER BY at, indexOf(${ORDER}, severity)`,
            ),
          ],
        }),
      ],
    },
    {
      title: 'Detections',
      panels: [
        table({
          title: 'Latest detections',
          description:
            'Values are exact. GET /api/detections/{id} returns the V1 event and the crashes of a detection.',
          links: [traceLink('trapline.detection.id', 'id')],
          queries: [
            rows(
              `SELECT lastSeen, severity, rule.id AS rule_id, ifNull(hostname, '') AS host, ifNull(procname, '') AS program,
  message, status, ifNull(verdict, '') AS verdict, ifNull(assignee, '') AS assignee, crashes, suppressedAtLeast,
  arrayStringConcat(arraySlice(values, 1, 8), ' ') AS evidence, valuesTotal, arrayStringConcat(attack.technique, ' ') AS techniques, firstSeen, id
FROM detections WHERE ${DETECTED} ORDER BY lastSeen DESC, id LIMIT 200`,
            ),
          ],
        }),
        table({
          title: 'Hosts and programs',
          width: 12,
          queries: [
            rows(
              `SELECT ifNull(hostname, '') AS host, ifNull(procname, '') AS program, count() AS detections, sum(crashes) AS crashed,
  sum(suppressedAtLeast) AS suppressed_at_least, ${ORDER}[max(indexOf(${ORDER}, severity))] AS worst
FROM detections WHERE ${DETECTED} GROUP BY host, program ORDER BY detections DESC, host, program LIMIT 100`,
            ),
          ],
        }),
        table({
          title: 'ATT&CK techniques',
          width: 12,
          queries: [
            rows(
              `SELECT technique.technique AS technique_id, technique.name AS name, technique.tactic AS tactic, count() AS detections
FROM detections ARRAY JOIN attack AS technique WHERE ${DETECTED}
GROUP BY technique_id, name, tactic ORDER BY detections DESC, technique_id LIMIT 50`,
            ),
          ],
        }),
        table({
          title: 'Crashes',
          description: 'The evidence of detections: exact addresses of each crash, newest first.',
          queries: [
            rows(
              `SELECT timestamp, ifNull(hostname, '') AS host, ifNull(procname, '') AS program, type, toString(pid) AS pid,
  ${hexadecimal('ip')}, ${hexadecimal('sp')}, ${hexadecimal('location')}, ifNull(file, '') AS mapped_file,
  ${hexadecimal('vmastart')}, ${hexadecimal('vmasize')}, ifNull(trap, '') AS trap_kind, ifNull(signal, '') AS signal_name
FROM events WHERE $__timeFilter(timestamp) AND ${WANTED} AND type IN ('LinuxKernelTrap', 'LinuxFatalSignal')
ORDER BY timestamp DESC LIMIT 500`,
            ),
          ],
        }),
      ],
    },
    {
      title: 'Rules',
      panels: [
        lines({
          title: 'Stored revisions, by rule',
          unit: 'ops',
          stacked: true,
          queries: [promql(`sum by (rule) (${rate('trapline_detections_total')})`, '{{rule}}')],
        }),
        lines({
          title: 'State of the rules in memory',
          queries: [
            promql(`sum(${of('trapline_detection_programs')})`, 'programs'),
            promql(`sum(${of('trapline_detection_open_episodes')})`, 'open detections'),
            promql(`sum(increase(${of('trapline_detection_evictions_total')}[1h]))`, 'programs evicted in an hour'),
          ],
        }),
      ],
    },
    {
      title: 'Delivery',
      panels: [
        lines({
          title: 'Messages to outputs',
          unit: 'ops',
          queries: [
            promql(`sum by (type, outcome) (${rate('trapline_output_messages_total')})`, '{{type}} {{outcome}}'),
          ],
        }),
        lines({
          title: 'Outputs behind',
          unit: 's',
          limits: { bad: 900 },
          queries: [
            promql(`max by (output, type) (${of('trapline_output_waiting_seconds')})`, '{{output}} ({{type}})'),
          ],
        }),
        lines({
          title: 'Messages waiting',
          queries: [
            promql(`max by (output, type) (${of('trapline_output_waiting_messages')})`, '{{output}} ({{type}})'),
          ],
        }),
        lines({
          title: 'SIEM file',
          unit: 'ops',
          queries: [
            promql(`sum by (type) (${rate('trapline_siem_records_total')})`, 'written: {{type}}'),
            promql(`sum(${rate('trapline_siem_write_failures_total')})`, 'failed'),
          ],
        }),
      ],
    },
  ],
});
