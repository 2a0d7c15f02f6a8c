import '@fontsource-variable/inter/wght.css';
// In a layer: styles of our own come after them, also those that are loaded later into the head of the page.
import './app/component-styles.css';
import '@mantine/notifications/styles.layer.css';
import './app/app.css';
import { loadLanguage } from './language/load-language.ts';

// Modules of the console read their texts when they are loaded, so the language comes first. Without `await` at the top level: the
// other files of the build import this one, and would wait for it.
void loadLanguage()
  .then(() => import('./app/start.tsx'))
  .then(({ start }) => start());
