import { counted } from '../../parts/counted.ts';
import { AGENTS_TEXT } from './text.ts';

/** Returns the resources that a run has used, without time: `3 tool calls`, `1,200 input tokens`. */
export function usedText(cost: Readonly<Record<string, number>> | null | undefined): string[] {
  return Object.entries(cost ?? {}).flatMap(([name, count]) => {
    if (name === 'durationMs') return [];
    const nouns = AGENTS_TEXT.resources[name];
    if (nouns !== undefined) return [counted(count, ...nouns)];
    const plural = name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
    return [counted(count, plural.replace(/s$/, ''), plural)];
  });
}
