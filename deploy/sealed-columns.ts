import { SEALED_PROVIDER_SESSIONS } from '#api/accounts/oauth/provider-sign-out.ts';
import { SEALED_TOTP_SECRETS } from '#api/accounts/second-factor/check-code.ts';
import { SEALED_SECRETS } from '#api/executions/secrets/secrets.ts';
import { SEALED_OUTPUT_SECRETS } from '#api/outputs/open-output.ts';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import { SEALED_WEBHOOK_SECRETS } from '#api/workflows/triggers/webhooks.ts';

/** All columns whose values are encrypted with AUTH_SECRET. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_SECRETS,
  SEALED_OUTPUT_SECRETS,
  SEALED_WEBHOOK_SECRETS,
  SEALED_TOTP_SECRETS,
  ...SEALED_PROVIDER_SESSIONS,
];
