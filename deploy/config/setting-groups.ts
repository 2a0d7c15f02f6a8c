import { accountsSettings } from './settings/accounts.ts';
import { clientSettings } from './settings/client.ts';
import { executionsSettings } from './settings/executions.ts';
import { ingestSettings } from './settings/ingest.ts';
import { limitsSettings } from './settings/limits.ts';
import { platformSettings } from './settings/platform.ts';
import { processSettings } from './settings/process.ts';
import { quotasSettings } from './settings/quotas.ts';
import { storesSettings } from './settings/stores.ts';
import { tracingSettings } from './tracing-settings.ts';

/** All settings, in the order of the documentation and of `trapline config`. */
export const SETTING_SHAPE = {
  ...storesSettings,
  ...processSettings,
  ...ingestSettings,
  ...accountsSettings,
  ...platformSettings,
  ...executionsSettings,
  ...quotasSettings,
  ...limitsSettings,
  ...tracingSettings,
  ...clientSettings,
};

/** The same by subject, with the title of each subject. */
export const SETTING_GROUPS: readonly { readonly title: string; readonly settings: object }[] = [
  { title: 'Stores', settings: storesSettings },
  { title: 'Process and embedded engines', settings: processSettings },
  { title: 'Ingest and retention', settings: ingestSettings },
  { title: 'Accounts, sign-in and mail', settings: accountsSettings },
  { title: 'Platform', settings: platformSettings },
  { title: 'Workflows and agents', settings: executionsSettings },
  { title: 'Quotas of users', settings: quotasSettings },
  { title: 'Limits of requests', settings: limitsSettings },
  { title: 'OpenTelemetry', settings: tracingSettings },
  { title: 'Command line', settings: clientSettings },
];
