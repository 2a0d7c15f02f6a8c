import { expect, test } from 'vitest';
import { routeName } from '#api/http/route-name.ts';

test.each([
  ['/api/detections/:id', '/api/detections/:id'],
  ['/:section(^(?:detections|events)$)', '/:section'],
  ['/:section(^(?:detections|events)$)/*', '/:section/*'],
  ['/:year(^\\d{4}$)-:month(^\\d\\d$)', '/:year-:month'],
  [undefined, 'none'],
])('shows %s as %s', (url, name) => {
  expect(routeName(url)).toBe(name);
  expect(routeName(url)).toBe(name);
});
