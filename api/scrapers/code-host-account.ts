import { nameParameter } from './steps/validate.ts';

/** Query parameter for the name of a person or organisation at the code host. */
export function accountName(description: string) {
  return nameParameter({
    pattern: /^[A-Za-z\d][A-Za-z\d_-]*$/,
    max: 39,
    expected: 'letters, digits, hyphens and underscores',
    description,
    example: 'octocat',
  });
}
