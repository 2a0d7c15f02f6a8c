import { queryProblem } from '#api/http/queries/refuse-query.ts';
import { taskFailure } from '../failures.ts';

/** Converts an invalid list query to an error of the definition, which may catch it. Rethrows all other errors. */
export function queryFailure(error: unknown, step: string): never {
  const problem = queryProblem(error);
  throw problem === undefined ? error : taskFailure('validation', step, problem.message);
}
