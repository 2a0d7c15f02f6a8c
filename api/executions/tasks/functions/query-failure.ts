import { queryProblem } from '../../../http/refuse-query.ts';
import { taskFailure } from '../failures.ts';

/** A list that can't be answered as it was asked for is a mistake of the definition, which may catch it; throws everything else again. */
export function queryFailure(error: unknown, step: string): never {
  const problem = queryProblem(error);
  throw problem === undefined ? error : taskFailure('validation', step, problem.message);
}
