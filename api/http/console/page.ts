import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../pages/escape-html.ts';

/** A page of the console with the policy it is sent with. */
export interface ConsolePage {
  readonly html: string;
  readonly policy: string;
}

const NONCE_BYTES = 18;
/** Stand in the built page for the nonce of an answer and for the command. */
const NONCE_PLACE = /%NONCE%/g;
const COMMAND_PLACE = '%COMMAND%';

export interface ConsoleFiles {
  /** The output of the build of the console; `sections.json` in it lists the paths. */
  readonly folder: string;
  /** How the commands that the console shows begin: `npx trapline` in a checkout, else `trapline`. */
  readonly command: string;
}

/**
 * The built page, read again for each response: a build while the server runs names other files. Each response gets its own nonce, which lets style
 * elements of the console through and nothing else; scripts come from files of this server only.
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
