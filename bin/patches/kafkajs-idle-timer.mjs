// No timer while nothing is pending. What, why and when it can go: docs/corrections/kafkajs-idle-timer.md.

/** @type {import('./apply.mjs').Correction} */
export const idleTimer = {
  name: 'idle-timer',
  edits: [
    {
      path: 'src/network/requestQueue/index.js',
      from: `Math.min(this.requestTimeout, 100))`,
      to: `Math.min(this.requestTimeout, 500))`,
    },
    {
      path: 'src/network/requestQueue/index.js',
      from: `    let scheduleAt = this.throttledUntil - Date.now()
    if (!this.throttleCheckTimeoutId) {`,
      to: `    let scheduleAt = this.throttledUntil - Date.now()
    if (this.pending.length === 0 && scheduleAt <= 0) return
    if (!this.throttleCheckTimeoutId) {`,
    },
  ],
};
