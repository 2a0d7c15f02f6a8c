/** For tests that look at what happens, not at what is said of it. */
export const silentLogger = { info: () => {}, warn: () => {}, error: () => {} };
