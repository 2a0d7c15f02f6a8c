/** For tests that check behaviour and not logs. */
export const silentLogger = { info: () => {}, warn: () => {}, error: () => {} };
