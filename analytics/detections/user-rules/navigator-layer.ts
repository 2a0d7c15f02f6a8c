import type { Attack } from '#schemas/detection.ts';
import { TACTICS } from './attack-tags.ts';

/** The fields of a rule that a layer contains. */
export interface LayeredRule {
  readonly id: string;
  readonly name: string;
  readonly attack: readonly Attack[];
}

/**
 * Returns a layer for the ATT&CK Navigator: each technique with the number of rules that detect it, and their names.
 */
export function navigatorLayer(rules: readonly LayeredRule[]): object {
  const tacticNames = new Map(Object.entries(TACTICS).map(([name, id]) => [id, name]));
  const techniques = new Map<
    string,
    { readonly technique: string; readonly tactic: string | undefined; readonly names: string[] }
  >();
  for (const { id, name, attack } of rules) {
    for (const { technique, tactic } of attack) {
      const key = `${technique} ${tactic}`;
      const known = techniques.get(key) ?? { technique, tactic: tacticNames.get(tactic), names: [] };
      known.names.push(`${name} (${id})`);
      techniques.set(key, known);
    }
  }
  return {
    name: 'Trapline',
    versions: { attack: '16', navigator: '5.1.0', layer: '4.5' },
    domain: 'enterprise-attack',
    description: 'Techniques that the rules of Trapline detect; the score is the number of rules',
    sorting: 3,
    gradient: {
      colors: ['#ffffff', '#66b1ff'],
      minValue: 0,
      maxValue: Math.max(1, ...[...techniques.values()].map(({ names }) => names.length)),
    },
    techniques: [...techniques.values()].map(({ technique, tactic, names }) => ({
      techniqueID: technique,
      ...(tactic === undefined ? {} : { tactic }),
      score: names.length,
      comment: names.join('\n'),
      enabled: true,
    })),
  };
}
