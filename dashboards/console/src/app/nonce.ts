import { setNonce } from 'get-nonce';

/**
 * Libraries that add a style element mark it with the nonce of this page, which the content security policy lets through. Browsers hide the
 * attribute from scripts that look at the document's text, so it is read as a property.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);
