import { isLanguage, type Language } from './languages.ts';

const KEY = 'trapline-language';

/** The language that the user chose in this browser; null: that of the browser. */
export function keptLanguage(): Language | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept !== null && isLanguage(kept) ? kept : null;
  } catch {
    return null; // Browsers that block site data throw.
  }
}

/** Keeps the choice in this browser and loads the console again: texts are read when its modules are loaded. */
export function switchLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, language);
  location.reload();
}
