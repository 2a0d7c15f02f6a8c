import { apiError } from '#api/http/api-error.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import { readConfig, secretsOf } from './agent-config.ts';
import { type Requester, viewerOf } from './requester.ts';
import { asSharing, type SeenAgent } from './tables/agents.ts';

/** The secrets are those of the owner: a user who may change the agent does not choose others. Throws a 403. */
export function requireKnownSecrets(
  requester: Requester,
  agent: SeenAgent,
  config: Record<string, unknown>,
  more: readonly string[] = [],
): void {
  const known = secretsOf(readConfig(agent.config));
  const unknown = [...secretsOf(readConfig(config)), ...more].filter((name) => !known.includes(name));
  if (unknown.length === 0 || mayDo('share', standingOf(asSharing(viewerOf(requester)), agent))) return;
  const ofModel = readConfig(config).model?.apiKeySecret;
  throw apiError(
    'forbidden',
    'only its owner and administrators let an agent use another secret',
    ofModel !== undefined && unknown.includes(ofModel) ? 'config.model.apiKeySecret' : 'config.mcpServers',
  );
}
