import { expect, test } from 'vitest';
import { filterText } from '#dashboards/console/src/pages/outputs/filter-text.ts';

const titleOf = (rule: string) => `rule ${rule}`;

test('describes the filter of an output in words, without “and above” for the highest severity', () => {
  expect(filterText({}, titleOf)).toBe('All detections');
  expect(filterText({ minSeverity: 'high', hosts: ['web-*'] }, titleOf)).toBe('High and above; on web-*');
  expect(filterText({ minSeverity: 'critical' }, titleOf)).toBe('Critical');
});
