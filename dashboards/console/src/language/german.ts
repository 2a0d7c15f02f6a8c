import { FAILURE_GERMAN } from '../api/text.de.ts';
import { APP_GERMAN } from '../app/text.de.ts';
import { ADMIN_GERMAN } from '../pages/admin/text.de.ts';
import { EVALUATION_GERMAN } from '../pages/agents/evaluation-text.de.ts';
import { AGENT_RUNS_GERMAN } from '../pages/agents/runs-text.de.ts';
import { AGENTS_GERMAN } from '../pages/agents/text.de.ts';
import { CASES_GERMAN } from '../pages/cases/text.de.ts';
import { DASHBOARD_GERMAN } from '../pages/dashboard/text.de.ts';
import { DEAD_LETTERS_GERMAN } from '../pages/dead-letters/text.de.ts';
import { DETECTION_GERMAN } from '../pages/detection/text.de.ts';
import { DETECTIONS_GERMAN } from '../pages/detections/text.de.ts';
import { DETECTORS_GERMAN } from '../pages/detectors/text.de.ts';
import { EVENTS_GERMAN } from '../pages/events/text.de.ts';
import { EXCEPTIONS_GERMAN } from '../pages/exceptions/text.de.ts';
import { EXECUTIONS_GERMAN } from '../pages/executions/text.de.ts';
import { FIRST_STEPS_GERMAN } from '../pages/first-steps/text.de.ts';
import { HAND_OFF_GERMAN } from '../pages/hand-off/text.de.ts';
import { HOSTS_GERMAN } from '../pages/hosts/text.de.ts';
import { IDENTITY_PROVIDERS_GERMAN } from '../pages/identity-providers/text.de.ts';
import { KEYS_GERMAN } from '../pages/keys/text.de.ts';
import { OUTPUT_GERMAN } from '../pages/outputs/text.de.ts';
import { PROFILE_GERMAN } from '../pages/profile/text.de.ts';
import { RULES_GERMAN } from '../pages/rules/text.de.ts';
import { SECOND_FACTOR_GERMAN } from '../pages/second-factor/text.de.ts';
import { SIGN_IN_GERMAN } from '../pages/sign-in/text.de.ts';
import { WORKERS_GERMAN } from '../pages/workers/text.de.ts';
import { LIMITS_GERMAN } from '../pages/workflows/limits-text.de.ts';
import { WORKFLOWS_GERMAN } from '../pages/workflows/text.de.ts';
import { EXECUTION_GERMAN } from '../parts/execution/text.de.ts';
import { REJECTIONS_GERMAN } from '../parts/rejection-text.de.ts';
import { RULE_NAMES_GERMAN } from '../parts/rules/rule-names-text.de.ts';
import { RUN_FORM_GERMAN } from '../parts/run-form/text.de.ts';
import { SHARING_GERMAN } from '../parts/sharing/text.de.ts';
import { PARTS_GERMAN } from '../parts/text.de.ts';

/** The German texts, by catalogue name. */
export const GERMAN = {
  admin: ADMIN_GERMAN,
  agents: AGENTS_GERMAN,
  agentRuns: AGENT_RUNS_GERMAN,
  evaluation: EVALUATION_GERMAN,
  app: APP_GERMAN,
  dashboard: DASHBOARD_GERMAN,
  deadLetters: DEAD_LETTERS_GERMAN,
  detection: DETECTION_GERMAN,
  detections: DETECTIONS_GERMAN,
  detectors: DETECTORS_GERMAN,
  events: EVENTS_GERMAN,
  exceptions: EXCEPTIONS_GERMAN,
  execution: EXECUTION_GERMAN,
  executions: EXECUTIONS_GERMAN,
  failure: FAILURE_GERMAN,
  firstSteps: FIRST_STEPS_GERMAN,
  hosts: HOSTS_GERMAN,
  identityProviders: IDENTITY_PROVIDERS_GERMAN,
  keys: KEYS_GERMAN,
  outputs: OUTPUT_GERMAN,
  parts: PARTS_GERMAN,
  profile: PROFILE_GERMAN,
  limits: LIMITS_GERMAN,
  rejections: REJECTIONS_GERMAN,
  ruleNames: RULE_NAMES_GERMAN,
  rules: RULES_GERMAN,
  runForm: RUN_FORM_GERMAN,
  secondFactor: SECOND_FACTOR_GERMAN,
  signIn: SIGN_IN_GERMAN,
  workers: WORKERS_GERMAN,
  workflows: WORKFLOWS_GERMAN,
  cases: CASES_GERMAN,
  handOff: HAND_OFF_GERMAN,
  sharing: SHARING_GERMAN,
} as const;
