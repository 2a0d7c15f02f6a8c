import { createRequire } from 'node:module';

/** Version of this installation, from package.json. */
export const PRODUCT_VERSION = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
