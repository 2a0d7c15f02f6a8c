import { expect, test } from 'vitest';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { describeKinds } from '#api/outputs/kind-registry.ts';
import type { OutputReach } from '#api/outputs/reach.ts';
import { SERVER_TEXT_GERMAN } from '#dashboards/console/src/api/server-text.de.ts';
import { RULE_NAMES_TEXT } from '#dashboards/console/src/parts/rules/rule-names-text.ts';

/** Names and abbreviations that are the same in German. */
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

/** Reach of a server on which no output can be configured: it has none of the services that outputs need. */
const NO_REACH = {} as OutputReach;

test('every translated setting, statistic and output kind exists, and each has a German text', () => {
  const isTranslated = ({ id }: { readonly id: string }) => id in RULE_NAMES_TEXT;
  const ofRules = catalogue()
    .filter(isTranslated)
    .flatMap(({ thresholds }) => thresholds.map(({ description }) => description));
  const ofStatistics = RULES.filter(isTranslated).flatMap(
    ({ statistics: { baseRate, falseAlarmForEach, evasions } }) => [
      baseRate,
      falseAlarmForEach ?? '',
      ...evasions.flatMap(({ evasion, price }) => [evasion, price]),
    ],
  );
  const hasText = (text: string) => text in SERVER_TEXT_GERMAN || SAME_IN_GERMAN.includes(text);
  // A kind whose label has no German text is not translated yet: the console shows all of its texts in English.
  const kinds = describeKinds(NO_REACH).filter(({ label }) => hasText(label));
  const ofOutputs = kinds.flatMap(({ label, description, unavailable, settings, secrets }) => [
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
