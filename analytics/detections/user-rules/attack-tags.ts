import type { Attack } from '#schemas/detection.ts';
import { RULES } from '../rule-registry.ts';
import { items } from './located-values.ts';
import { type Entry, refuse } from './located-yaml.ts';

/** Enterprise tactics of MITRE ATT&CK, by the name in tags and Navigator layers. */
export const TACTICS: Readonly<Record<string, string>> = {
  reconnaissance: 'TA0043',
  'resource-development': 'TA0042',
  'initial-access': 'TA0001',
  execution: 'TA0002',
  persistence: 'TA0003',
  'privilege-escalation': 'TA0004',
  'defense-evasion': 'TA0005',
  'credential-access': 'TA0006',
  discovery: 'TA0007',
  'lateral-movement': 'TA0008',
  collection: 'TA0009',
  exfiltration: 'TA0010',
  'command-and-control': 'TA0011',
  impact: 'TA0040',
};

const MAX_TAGS = 50;

/**
 * Returns the techniques in a rule's tags. Each has the tactic tag before it, or the first tactic. Ignores other tags.
 * Throws `RefusedRule`.
 */
export function readAttack(entry: Entry | undefined): readonly Attack[] {
  if (entry === undefined) return [];
  const tags = items(entry.value);
  if (tags.length > MAX_TAGS) refuse(entry, `${tags.length} tags, at most ${MAX_TAGS}`);
  const words = tags.map((tag) => {
    if (typeof tag.value !== 'string') refuse(tag, 'a tag must be a text');
    return {
      tag,
      word: (tag.value as string)
        .toLowerCase()
        .replace(/^attack\./, '')
        .replaceAll('_', '-'),
      isAttack: /^attack\./i.test(tag.value as string),
    };
  });
  const tacticOf = (word: string): string | undefined =>
    TACTICS[word] ?? Object.values(TACTICS).find((id) => id.toLowerCase() === word);
  const first = words.flatMap(({ word, isAttack }) => (isAttack ? (tacticOf(word) ?? []) : []))[0];
  let latest = first;
  const attack: Attack[] = [];
  for (const { tag, word, isAttack } of words) {
    if (!isAttack) continue;
    latest = tacticOf(word) ?? latest;
    if (!/^t\d{4}(?:\.\d{3})?$/.test(word)) continue;
    if (latest === undefined) refuse(tag, 'add a tag with the tactic of the technique, e.g. attack.execution');
    attack.push({ tactic: latest as string, technique: word.toUpperCase(), name: nameOf(word.toUpperCase()) });
  }
  return attack;
}

/** Returns the technique's name as the built-in rules have it, or its id. */
function nameOf(technique: string): string {
  for (const { attack } of RULES) for (const known of attack) if (known.technique === technique) return known.name;
  return technique;
}
