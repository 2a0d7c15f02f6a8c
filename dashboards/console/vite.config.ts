import path from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { checkStyles } from './build/check-styles.ts';
import { compress } from './build/compress.ts';
import { firstPaint } from './build/first-paint.ts';
import { listSections } from './build/list-sections.ts';
import { preloadStart } from './build/preload-start.ts';

const START = 'src/app/start.tsx';
const ROUTES = path.join(import.meta.dirname, 'src/routes');

/** Components that many pages use, except the list of detections. The first load does not include them. */
const FORM_PARTS =
  /@mantine\/core\/esm\/components\/(?:Accordion|Fieldset|FloatingIndicator|PasswordInput|SegmentedControl|SimpleGrid|Switch|Textarea)\//;

/**
 * Builds the console into `dist`, which the API serves. Nothing is inlined, because the content security policy allows
 * only files of this server.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // A file of src/routes is a page. Its component becomes a separate file, which browsers load when the page is
    // opened.
    tanstackRouter({
      routesDirectory: ROUTES,
      generatedRouteTree: path.join(import.meta.dirname, 'src/route-tree.gen.ts'),
      autoCodeSplitting: true,
      addExtensions: true,
      disableLogging: true,
    }),
    react(),
    firstPaint(path.join(import.meta.dirname, 'src/early.js'), START),
    listSections(ROUTES),
    preloadStart(START),
    checkStyles(),
    compress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The language and its texts are loaded before any module with a catalogue.
            {
              name: 'language',
              test: /src\/(?:language\/(?!german)|parts\/counted|pages\/dashboard\/quantities)/,
              priority: 4,
            },
            // Includes all its imports, because one file compresses better than many.
            { name: 'start', test: /src\/app\/start\.tsx/, priority: 3 },
            // The frame of pages and the list of detections, with all their imports: one request instead of twenty.
            {
              name: 'list',
              test: /routes\/_signed-in(?:|\/detections\/index)\.tsx\?tsr-split=component/,
              priority: 2.5,
            },
            // Modules that most other pages use.
            {
              name: 'common',
              test: (id) => /node_modules|src\/(?:api|parts)\//.test(id) && !FORM_PARTS.test(id),
              minShareCount: 6,
              priority: 2,
            },
            { name: 'forms', test: FORM_PARTS, minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
  },
  // Vite's development server proxies API calls to a local Trapline.
  server: { host: '127.0.0.1', proxy: { '/api': { target: 'http://127.0.0.1:8080', ws: true } } },
});
