import { createRequire } from 'node:module';

/** Version of the installed product, from package.json. */
export const PRODUCT_VERSION = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
