import { apiError } from '#api/http/api-error.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import { readConfig, type SecretUse, secretUseOf, secretUsesOf } from './agent-config.ts';
import { type Check, secretUsesOfChecks } from './evaluation/checks.ts';
import { type Requester, viewerOf } from './requester.ts';
import { asSharing, type SeenAgent } from './tables/agents.ts';

/**
 * Throws a 403 if a change uses new secrets, or sends one to a new host. Secrets belong to the owner of the agent.
 * Users who may only change the agent cannot choose them.
 */
export function requireKnownSecrets(
  requester: Requester,
  agent: SeenAgent,
  config: Record<string, unknown>,
  more: readonly SecretUse[] = [],
): void {
  const known = secretUsesOf(readConfig(agent.config));
  const wanted = readConfig(config);
  const unknown = unknownUses(known, [...secretUsesOf(wanted), ...more]);
  if (unknown.length === 0 || mayChooseSecrets(requester, agent)) return;
  const named = unknown.filter(({ secret }) => known.some((one) => one.secret === secret));
  const [ofModel] = secretUseOf(wanted.model ?? {});
  const isOfModel = ofModel !== undefined && unknown.some((use) => isSame(use, ofModel));
  throw apiError(
    'forbidden',
    named.length < unknown.length
      ? 'only its owner and administrators let an agent use another secret'
      : 'only its owner and administrators let an agent send a secret to another host',
    isOfModel
      ? named.length < unknown.length
        ? 'config.model.apiKeySecret'
        : 'config.model.baseUrl'
      : 'config.mcpServers',
  );
}

/**
 * Throws a 403 if an old configuration with its checks uses a secret or host that the owner has withdrawn since. Only
 * users who may choose secrets can run it again.
 */
export function requireCurrentSecrets(
  requester: Requester,
  agent: SeenAgent,
  past: { readonly config: Record<string, unknown>; readonly checks: readonly Check[] | null },
  currentChecks: readonly Check[],
): void {
  const known = [...secretUsesOf(readConfig(agent.config)), ...secretUsesOfChecks(currentChecks)];
  const wanted = [...secretUsesOf(readConfig(past.config)), ...secretUsesOfChecks(past.checks ?? [])];
  if (unknownUses(known, wanted).length === 0 || mayChooseSecrets(requester, agent)) return;
  throw apiError(
    'forbidden',
    'this execution used a secret or a host that the agent no longer uses: only the owner of the agent and administrators may run it again',
  );
}

function unknownUses(known: readonly SecretUse[], wanted: readonly SecretUse[]): SecretUse[] {
  return wanted.filter((use) => !known.some((one) => isSame(one, use)));
}

function mayChooseSecrets(requester: Requester, agent: SeenAgent): boolean {
  return mayDo('share', standingOf(asSharing(viewerOf(requester)), agent));
}

function isSame(one: SecretUse, other: SecretUse): boolean {
  return one.secret === other.secret && one.to === other.to;
}
