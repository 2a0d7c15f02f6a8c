import { auditLogRoute, userRoute, usersRoute } from './admin/routes.ts';
import { agentExecutionRoute, agentRoute, agentsRoute } from './agents/routes.ts';
import { dashboardPageRoute } from './dashboard/routes.ts';
import { deadLetterRoute, deadLettersRoute } from './dead-letters/routes.ts';
import { detectionRoute } from './detection/routes.ts';
import { detectionsRoute } from './detections/routes.ts';
import { eventRoute, eventsRoute } from './events/routes.ts';
import { exceptionsRoute, newExceptionRoute } from './exceptions/routes.ts';
import { approvalsRoute, executionRoute, recentExecutionsRoute } from './executions/routes.ts';
import { firstStepsRoute } from './first-steps/routes.ts';
import { hostRoute, hostsRoute } from './hosts/routes.ts';
import { keysRoute } from './keys/routes.ts';
import { newOutputRoute, outputRoute, outputsRoute } from './outputs/routes.ts';
import { profileRoute } from './profile/routes.ts';
import { ruleRoute, rulesRoute } from './rules/routes.ts';
import { forgotPasswordRoute, registerRoute, signInRoute } from './sign-in/routes.ts';
import { workflowRoute, workflowsRoute } from './workflows/routes.ts';

/** Every page of the console; a folder each, whose `routes.ts` says at which address it stands and loads it when it is first needed. */
export const pages = {
  /** Without a session. */
  open: [signInRoute, registerRoute, forgotPasswordRoute] as const,
  /** Inside the frame, with one. */
  signedIn: [
    firstStepsRoute,
    profileRoute,
    keysRoute,
    usersRoute,
    userRoute,
    auditLogRoute,
    dashboardPageRoute,
    detectionsRoute,
    detectionRoute,
    eventsRoute,
    eventRoute,
    hostsRoute,
    hostRoute,
    deadLettersRoute,
    deadLetterRoute,
    rulesRoute,
    ruleRoute,
    exceptionsRoute,
    newExceptionRoute,
    outputsRoute,
    newOutputRoute,
    outputRoute,
    workflowsRoute,
    workflowRoute,
    recentExecutionsRoute,
    executionRoute,
    approvalsRoute,
    agentsRoute,
    agentRoute,
    agentExecutionRoute,
  ] as const,
};
