import { counted } from '../../parts/counted.ts';

/** What a run has used besides time, in words: `3 tool calls`, `1,200 input tokens`. */
export function usedText(cost: Readonly<Record<string, number>> | null | undefined): string[] {
  return Object.entries(cost ?? {}).flatMap(([name, count]) => {
    if (name === 'durationMs') return [];
    const plural = name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
    return [counted(count, plural.replace(/s$/, ''), plural)];
  });
}
