// Entry point of every daily command (`npm start`, `npm test` and the others), before anything is installed. Plain
// JavaScript without dependencies, for any Node from 20 on. It installs what is missing, then runs the pinned Node. If
// nothing is missing, it takes a few milliseconds.

const NEEDED_MAJOR = 20;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `trapline: Node.js ${NEEDED_MAJOR} or later is needed to set up; this is ${process.version}.\n` +
      '  On Debian 13: apt-get install nodejs npm. Elsewhere: https://nodejs.org/en/download\n',
  );
  process.exit(2);
}

// Imported after the version check, because the files below use syntax that an older Node cannot parse.
const { main } = await import('./run/main.mjs');
process.exitCode = await main(process.argv.slice(2));
