import type { ApiServer } from '#api/http/api-server.ts';
import { caseRoutes } from './routes/cases.ts';
import { commentRoutes, subjectsOf } from './routes/comments.ts';
import type { CaseRoutesDeps } from './routes/deps.ts';
import { linkedExecutionRoutes } from './routes/executions.ts';
import { caseFileRoutes } from './routes/files.ts';
import { casePartRoutes } from './routes/parts.ts';
import { peopleRoutes } from './routes/people.ts';
import { caseReadingRoutes } from './routes/reading.ts';
import { caseTemplateRoutes } from './routes/templates.ts';

/** Registers the routes of cases and their parts, and of the comments and executions of detections and cases. */
export function registerCases(app: ApiServer, deps: CaseRoutesDeps): void {
  caseRoutes(app, deps);
  casePartRoutes(app, deps);
  caseReadingRoutes(app, deps);
  caseTemplateRoutes(app, deps);
  peopleRoutes(app, deps);
  for (const subject of subjectsOf(deps)) {
    commentRoutes(app, deps, subject);
    linkedExecutionRoutes(app, deps, subject);
  }
  // A separate scope: no other route accepts forms.
  void app.register(async (scope) => caseFileRoutes(scope, deps));
}
