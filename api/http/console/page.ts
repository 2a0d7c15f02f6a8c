import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../pages/escape-html.ts';

/** A page of the console and its Content-Security-Policy. */
export interface ConsolePage {
  readonly html: string;
  readonly policy: string;
}

const NONCE_BYTES = 18;
/** Placeholders in the built page for the nonce of a response and for the command. */
const NONCE_PLACE = /%NONCE%/g;
const COMMAND_PLACE = '%COMMAND%';

export interface ConsoleFiles {
  /** Output folder of the console build. Its file `sections.json` lists the paths. */
  readonly folder: string;
  /** Prefix of the commands that the console shows: `npx trapline` in a checkout, otherwise `trapline`. */
  readonly command: string;
}

/**
 * Renders the built page. Reads the file for each response, because a build while the server runs changes the file
 * names. Each response has a new nonce for the style elements of the console. Scripts load only from files of this
 * server.
 */
export async function renderConsolePage({ folder, command }: ConsoleFiles): Promise<ConsolePage> {
  const template = await readFile(join(folder, 'index.html'), 'utf8');
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return {
    html: template.replace(NONCE_PLACE, nonce).replace(COMMAND_PLACE, escapeHtml(command)),
    policy: policyWith(nonce),
  };
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
