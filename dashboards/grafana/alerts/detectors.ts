import type { Alert, RuleGroup } from './rule.ts';

/**
 * Kernel logs have no heartbeat, so silence is compared with the longest silence of the host in the last two weeks.
 * After two weeks of silence there is nothing to compare with, and the alert ends.
 */
const silent: Alert = {
  alert: 'TraplineDetectorSilent',
  expr:
    'time() - max by (job, hostname) (trapline_detector_last_event_timestamp_seconds)' +
    ' > 2 * max by (job, hostname) (trapline_detector_usual_gap_seconds) + 3600',
  for: '15m',
  urgency: 'ticket',
  summary: '{{ $labels.hostname }} has sent nothing for {{ $value | humanizeDuration }}',
  description:
    'This is more than twice its longest silence of the last two weeks, plus an hour. The detector may have stopped, its messages may be suppressed, the network may be interrupted, or an attacker may have turned it off.',
};

/** A detector whose key was revoked or has expired keeps its events and retries, at most every 30 seconds. */
const keyRefused: Alert = {
  alert: 'TraplineDetectorKeyRefused',
  expr: 'sum by (job) (increase(trapline_http_request_duration_seconds_count{method="POST",route="/api/events",status=~"401|403"}[10m])) > 5',
  for: '10m',
  urgency: 'ticket',
  summary: '{{ $value | humanize }} submissions of events were rejected in 10 minutes because of their key',
  description:
    'A detector has a key that has expired, was revoked or may not write events. It stores its events and sends them when it has a valid key.',
};

/**
 * Detectors of enrolled hosts have a heartbeat: they report their status once per minute. All processes report the same
 * numbers.
 */
const enrolledSilent: Alert = {
  alert: 'TraplineEnrolledDetectorSilent',
  expr: 'max by (job) (trapline_enrolled_detectors{state="silent"}) > 0',
  for: '5m',
  urgency: 'ticket',
  summary: '{{ $value }} enrolled detectors have not reported for 10 minutes',
  description:
    'The detector or its host is stopped, the network is interrupted, or an attacker may have turned it off.',
};

export const detectors: RuleGroup = { name: 'trapline-detectors', rules: [silent, enrolledSilent, keyRefused] };
