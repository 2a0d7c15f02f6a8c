import type { Seal } from '#api/executions/secrets/seal.ts';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import { outputKind } from './kind-registry.ts';
import { type Output, OutputFailure } from './port.ts';
import type { OutputReach } from './reach.ts';
import type { OutputRow } from './tables/outputs.ts';

/** Returns the context under which the secrets of an output are sealed. Its row stores them. */
export function secretsContext(outputId: string): string {
  return `output/${outputId}`;
}

export const SEALED_OUTPUT_SECRETS: SealedColumn = {
  values: 'secrets of outputs',
  table: 'outputs',
  column: 'secrets',
  key: ['id'],
  contextOf: ([id = '']) => secretsContext(id),
};

/** Decrypts the secrets of an output, by name. Throws `OutputFailure` if no AUTH_SECRET of the installation decrypts them. */
export function openSecrets(seal: Seal, { id, secrets }: Pick<OutputRow, 'id' | 'secrets'>): Record<string, string> {
  if (secrets === null) return {};
  const text = seal.open(secrets, secretsContext(id));
  if (text === undefined)
    throw new OutputFailure('temporary', 'the secrets were encrypted with another AUTH_SECRET: set them again');
  return JSON.parse(text) as Record<string, string>;
}

/** Opens the receiver of a definition. Throws `OutputFailure` if the installation cannot reach it. */
export function openOutput(
  { reach, seal }: { readonly reach: OutputReach; readonly seal: Seal },
  { id, type, settings, secrets }: Pick<OutputRow, 'id' | 'type' | 'settings' | 'secrets'>,
): Output {
  const kind = outputKind(type);
  const reason = kind.unavailable?.(reach);
  if (reason !== undefined) throw new OutputFailure('temporary', reason);
  return kind.open({ reach, outputId: id, settings, secrets: openSecrets(seal, { id, secrets }) });
}
