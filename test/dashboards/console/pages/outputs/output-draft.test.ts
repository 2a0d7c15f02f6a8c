import { expect, test } from 'vitest';
import {
  changeOf,
  draftOf,
  missingOf,
  newDraft,
  newOutputOf,
} from '#dashboards/console/src/pages/outputs/output-draft.ts';
import { KINDS } from '#dashboards/console/src/pages/outputs/output-kinds.ts';
import { newOutputSchema } from '#schemas/api/outputs.ts';

const FILLED = {
  webhook: { settings: { url: 'https://siem.example/in' }, secrets: { signingKey: '0123456789abcdef' } },
  chat: { settings: {}, secrets: { url: 'https://chat.example/hooks/1' } },
  syslog: { settings: { host: 'siem.example', port: '6514' }, secrets: {} },
  kafka: { settings: { topic: 'detections' }, secrets: {} },
  file: { settings: { name: 'detections.ndjson' }, secrets: {} },
  workflows: { settings: {}, secrets: {} },
};

test.each(KINDS)('what is filled in for %s is what the API takes', (type) => {
  const empty = newDraft(type);
  const { settings, secrets } = FILLED[type];
  const draft = {
    ...empty,
    name: ' room ',
    hosts: 'web-*\n\n db-1 ',
    causes: ['opened'],
    minSeverity: 'high',
    settings: { ...empty.settings, ...settings },
    secrets,
  };
  expect(missingOf(empty)).toContain('Name');
  expect(missingOf(draft)).toEqual([]);
  expect(newOutputSchema.parse(newOutputOf(draft))).toMatchObject({
    name: 'room',
    filter: { minSeverity: 'high', hosts: ['web-*', 'db-1'], causes: ['opened'] },
  });
});

test('a change holds what differs; a secret that nobody typed stays, one may be taken away', () => {
  const at = '2026-03-01T00:00:00.000Z';
  const output = {
    id: 'out_0',
    etag: '"v1"',
    name: 'hook',
    type: 'webhook' as const,
    enabled: true,
    settings: { url: 'https://siem.example/in' },
    filter: { minSeverity: 'high' as const },
    secrets: ['authorization', 'signingKey'],
    createdAt: at,
    createdBy: 'operator',
    updatedAt: at,
  };
  const draft = draftOf(output);
  expect(missingOf(draft, output.secrets)).toEqual([]);
  expect(changeOf(output, draft)).toEqual({});
  expect(changeOf(output, { ...draft, name: 'other', minSeverity: '', without: ['authorization'] })).toEqual({
    name: 'other',
    filter: {},
    secrets: { authorization: null },
  });
  expect(
    changeOf(output, {
      ...draft,
      settings: { url: 'https://b.example/' },
      secrets: { signingKey: 'fedcba9876543210' },
    }),
  ).toEqual({ settings: { url: 'https://b.example/' }, secrets: { signingKey: 'fedcba9876543210' } });
});
