#!/usr/bin/env node
// The command. Written for old versions of Node too.

// By default Node opens its inspector, which runs any code for those who reach its port.
process.on('SIGUSR1', () => {});

const words = process.argv.slice(2);
// Asked every few seconds by supervisors: nothing else is loaded where all is well.
const isAnswered =
  words[0] === 'healthcheck' && (await import('./quick-healthcheck.mjs').then(({ isWell }) => isWell(words)));
if (!isAnswered) await import('./launch.mjs');
