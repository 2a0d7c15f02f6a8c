// The way in to every daily command: `npm start`, `npm test` and the others come here, before anything is installed.
// Plain JavaScript for the Node a machine happens to have (20 or later), no dependencies: it sets up what is missing, then
// hands over to the pinned Node. A second run finds everything in place and spends a few milliseconds here.

const NEEDED_MAJOR = 20;
const major = Number(process.versions.node.split('.')[0]);

if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `trapline: Node.js ${NEEDED_MAJOR} or later is needed to set up; this is ${process.version}.\n` +
      '  On Debian 13: apt-get install nodejs npm. Elsewhere: https://nodejs.org/en/download\n',
  );
  process.exit(2);
}

// Only now: the files below use syntax that an older Node does not parse.
const { main } = await import('./run/main.mjs');
process.exitCode = await main(process.argv.slice(2));
