import '@fontsource-variable/inter/wght.css';
// In a cascade layer, so that the console's own styles override them, including styles that are loaded later.
import './app/component-styles.css';
import '@mantine/notifications/styles.layer.css';
import './app/app.css';
import { loadLanguage } from './language/load-language.ts';

// Modules of the console read their texts when they are loaded, so the language is loaded first. No top-level `await`:
// the other files of the build import this one and would wait for it.
void loadLanguage()
  .then(() => import('./app/start.tsx'))
  .then(({ start }) => start());
