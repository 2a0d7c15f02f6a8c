import type { Attack } from '#schemas/detection.ts';
import { splitTechnique, tacticName } from './attack-tactics.ts';

/** Returns `threat.*` for ATT&CK mappings, or nothing without a mapping. */
export function ecsThreat(attacks: readonly Attack[]): object {
  if (attacks.length === 0) return {};
  const tactics = [...new Set(attacks.map((a) => a.tactic))];
  const techniques = attacks.map((attack) => ({ ...splitTechnique(attack), name: attack.name }));
  const plain = techniques.filter((t) => t.subTechnique === undefined);
  const subs = techniques.filter((t) => t.subTechnique !== undefined);
  return {
    threat: {
      framework: 'MITRE ATT&CK',
      tactic: { id: tactics, name: tactics.map(tacticName) },
      technique: {
        id: [...new Set(techniques.map((t) => t.technique))],
        ...(plain.length === 0 ? {} : { name: [...new Set(plain.map((t) => t.name))] }),
        ...(subs.length === 0
          ? {}
          : { subtechnique: { id: subs.map((t) => t.subTechnique), name: subs.map((t) => t.name) } }),
      },
    },
  };
}
