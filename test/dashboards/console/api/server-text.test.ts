import { expect, test } from 'vitest';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { describeKinds } from '#api/outputs/kind-registry.ts';
import type { OutputReach } from '#api/outputs/reach.ts';
import { SERVER_TEXT_GERMAN } from '#dashboards/console/src/api/server-text.de.ts';

/** Names and abbreviations that German has as well. */
const SAME_IN_GERMAN = [
  'Bucket',
  'CEF',
  'Chat',
  'Elastic Common Schema',
  'Elasticsearch',
  'Facility',
  'Format',
  'Grafana Loki',
  'Host',
  'Index',
  'JSON',
  'Jira',
  'Kafka',
  'Microsoft Teams',
  'Opsgenie',
  'PagerDuty',
  'Port',
  'Region',
  'S3 (Parquet)',
  'ServiceNow',
  'Site',
  'Slack',
  'Splunk',
  'Syslog',
  'TLS',
  'Token',
  'Topic',
  'URL',
  'Webhook',
  'Workflows',
];

/** Nothing that an output can need is there. */
const NO_REACH = {} as OutputReach;

test('every setting of a rule, its statistics, and every kind of output with its settings, has German texts, and no others are kept', () => {
  const ofRules = catalogue().flatMap(({ thresholds }) => thresholds.map(({ description }) => description));
  const ofStatistics = RULES.flatMap(({ statistics: { baseRate, falseAlarmForEach, evasions } }) => [
    baseRate,
    falseAlarmForEach ?? '',
    ...evasions.flatMap(({ evasion, price }) => [evasion, price]),
  ]);
  const ofOutputs = describeKinds(NO_REACH).flatMap(({ label, description, unavailable, settings, secrets }) => [
    label,
    description,
    ...(unavailable === null ? [] : [unavailable]),
    ...[...settings, ...secrets].flatMap((field) => [
      field.label,
      field.description ?? '',
      ...(field.choices ?? []).map((choice) => choice.label),
    ]),
  ]);
  const english = new Set(
    [...ofRules, ...ofStatistics, ...ofOutputs].filter((text) => text !== '' && !SAME_IN_GERMAN.includes(text)),
  );
  expect([...english].filter((text) => !(text in SERVER_TEXT_GERMAN))).toEqual([]);
  expect(Object.keys(SERVER_TEXT_GERMAN).filter((text) => !english.has(text))).toEqual([]);
});
