/** Languages of the console, each with its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/** Language for users who prefer none of `LANGUAGES`. */
const FALLBACK: Language = 'en';

export interface Choice {
  readonly language: Language;
  /**
   * Language tag for numbers and times. The browser's tag if it has the same language, because it includes the country.
   */
  readonly locale: string;
}

/**
 * Chooses the language. `kept`: the user's choice, if any. `preferred`: the browser's languages, most preferred first.
 */
export function chooseLanguage(kept: string | null, preferred: readonly string[]): Choice {
  const language =
    [kept, ...preferred.map(primaryTag)].find((tag): tag is Language => tag !== null && isLanguage(tag)) ?? FALLBACK;
  return { language, locale: preferred.find((tag) => primaryTag(tag) === language) ?? language };
}

export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}

function primaryTag(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}
