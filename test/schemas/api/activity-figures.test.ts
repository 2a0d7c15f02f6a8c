import { expect, test } from 'vitest';
import { parseFigures } from '#schemas/api/activity-figures.ts';
import { figureText } from '#schemas/api/figure-conditions.ts';

test('reads conditions on figures as they are written', () => {
  const text = 'crashes>=10,risk<=70.25,openDetections!=0,events=3';
  expect(parseFigures(text)?.map(figureText).join(',')).toBe(text);
  expect(parseFigures('crashes>=10')).toEqual([{ figure: 'crashes', sign: '>=', value: 10 }]);
});

test.each(['', 'crashes', 'crashes>10', 'crashes>=1.5', 'crashes>=-1', 'pid=1', 'crashes>=1,', 'risk=1e3'])(
  'rejects “%s” as conditions',
  (text) => {
    expect(parseFigures(text)).toBeUndefined();
  },
);
