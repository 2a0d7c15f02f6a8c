import { setTranslations } from './catalogue.ts';
import { keptLanguage } from './kept-language.ts';
import { chooseLanguage, type Language } from './languages.ts';
import { setLocale } from './numbers.ts';

type Load = () => Promise<Readonly<Record<string, unknown>>>;

/** Each language is a separate file that only browsers with this language load. */
const LOAD: Readonly<Record<Exclude<Language, 'en'>, Load>> = {
  de: async () => (await import('./german.ts')).GERMAN,
};

/** Chooses the language and loads its texts. Must finish before any module with a catalogue is loaded. */
export async function loadLanguage(): Promise<void> {
  const { language, locale } = chooseLanguage(keptLanguage(), navigator.languages);
  setLocale(locale);
  document.documentElement.lang = language;
  if (language !== 'en') setTranslations(await LOAD[language]());
}
