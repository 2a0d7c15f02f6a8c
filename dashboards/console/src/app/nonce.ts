import { setNonce } from 'get-nonce';

/**
 * Nonce of this page, which the content security policy allows. Libraries that add a style element set it. Browsers
 * hide the attribute from scripts, so it is read as a property.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);
