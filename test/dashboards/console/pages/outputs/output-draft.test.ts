import { expect, test } from 'vitest';
import { describeKinds, newOutputSchema } from '#api/outputs/kind-registry.ts';
import {
  changeOf,
  draftOf,
  missingOf,
  newDraft,
  newOutputOf,
} from '#dashboards/console/src/pages/outputs/output-draft.ts';

const KINDS = describeKinds({ fetch: () => Promise.reject(new Error('not used')) });
const kindOf = (type: string) => KINDS.find((kind) => kind.type === type) as (typeof KINDS)[number];

const FILLED: Readonly<Record<string, { settings: Record<string, string>; secrets: Record<string, string> }>> = {
  webhook: { settings: { url: 'https://siem.example/in' }, secrets: { signingKey: '0123456789abcdef' } },
  chat: { settings: {}, secrets: { url: 'https://chat.example/hooks/1' } },
  syslog: { settings: { host: 'siem.example', port: '6514' }, secrets: {} },
  kafka: { settings: { topic: 'detections' }, secrets: {} },
  file: { settings: { name: 'detections.ndjson' }, secrets: {} },
  workflows: { settings: {}, secrets: {} },
};

test.each(Object.keys(FILLED))('a completed form of %s makes a request that the API accepts', (type) => {
  const kind = kindOf(type);
  const empty = newDraft(kind);
  const { settings = {}, secrets = {} } = FILLED[type] ?? {};
  const draft = {
    ...empty,
    name: ' room ',
    hosts: 'web-*\n\n db-1 ',
    causes: ['opened'],
    minSeverity: 'high',
    settings: { ...empty.settings, ...settings },
    secrets,
  };
  expect(missingOf(kind, empty)).toContain('Name');
  expect(missingOf(kind, draft)).toEqual([]);
  expect(newOutputSchema.parse(newOutputOf(kind, draft))).toMatchObject({
    name: 'room',
    filter: { minSeverity: 'high', hosts: ['web-*', 'db-1'], causes: ['opened'] },
  });
});

test('a change contains only differences, keeps a secret with an empty field, and can remove one', () => {
  const kind = kindOf('webhook');
  const at = '2026-03-01T00:00:00.000Z';
  const output = {
    id: 'out_0',
    etag: '"v1"',
    name: 'hook',
    type: 'webhook',
    enabled: true,
    settings: { url: 'https://siem.example/in' },
    filter: { minSeverity: 'high' as const },
    secrets: ['authorization', 'signingKey'],
    createdAt: at,
    createdBy: 'operator',
    createdByName: null,
    updatedAt: at,
  };
  const draft = draftOf(kind, output);
  expect(missingOf(kind, draft, output.secrets)).toEqual([]);
  expect(changeOf(kind, output, draft)).toEqual({});
  expect(changeOf(kind, output, { ...draft, name: 'other', minSeverity: '', removed: ['authorization'] })).toEqual({
    name: 'other',
    filter: {},
    secrets: { authorization: null },
  });
  expect(
    changeOf(kind, output, {
      ...draft,
      settings: { url: 'https://b.example/' },
      secrets: { signingKey: 'fedcba9876543210' },
    }),
  ).toEqual({ settings: { url: 'https://b.example/' }, secrets: { signingKey: 'fedcba9876543210' } });
});
