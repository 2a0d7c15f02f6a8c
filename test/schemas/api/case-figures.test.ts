import { expect, test } from 'vitest';
import { parseCaseFigures } from '#schemas/api/case-figures.ts';
import { figureText } from '#schemas/api/figure-conditions.ts';

test('reads conditions on numbers of cases as they are written', () => {
  const text = 'detections>=3,openTasks=0,doneTasks!=2,tasks<=9';
  expect(parseCaseFigures(text)?.map(figureText).join(',')).toBe(text);
});

test.each(['', 'crashes>=1', 'tasks>=1.5', 'tasks>1', 'tasks=1,'])('rejects “%s” as conditions', (text) => {
  expect(parseCaseFigures(text)).toBeUndefined();
});
