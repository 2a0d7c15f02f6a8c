import { expect, test } from 'vitest';
import { campaignOf } from '#api/cases/campaigns/open-campaign-cases.ts';
import { titleOfDetection } from '#api/cases/case-title.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';

const hostile = detection({ hostname: 'web\u0000-1', procname: 'ng\u0000inx\ud800', hostsTotal: 3 });

test('creates a storable title from names that PostgreSQL rejects', () => {
  const { name } = hostile.rule;
  expect(titleOfDetection(hostile)).toBe(`${name}: ng\\x00inx\\u{d800} on web\\x00-1`);
  expect(campaignOf(hostile).title).toBe(`${name}: ng\\x00inx\\u{d800} on 3 hosts`);
});

test('truncates a title between characters', () => {
  const { title } = campaignOf({ ...hostile, procname: '\u{1f600}'.repeat(200) });
  expect(title.length).toBe(200);
  expect(title.isWellFormed()).toBe(true);
});
