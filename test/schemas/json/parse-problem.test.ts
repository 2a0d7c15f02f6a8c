import { expect, test } from 'vitest';
import { parseProblem } from '#schemas/json/parse-problem.ts';

test.each([
  ['', 'there is nothing but white space'],
  [' \n', 'there is nothing but white space'],
  ['{"a":1', /too early|position 6/],
  ['["a', /too early/],
  ['{"secret":hunter2}', /^an unexpected character( at position 10)?$/],
  ['{"a":1,}', 'an unexpected character at position 7'],
])('%j', (text, expected) => {
  let problem = '';
  try {
    JSON.parse(text);
  } catch (error) {
    problem = parseProblem(error, text);
  }
  expect(problem).toMatch(expected);
});
