#!/usr/bin/env node
// Starts the server, or says in one sentence that this Node is too old. Written for old versions of Node too.
const OLDEST_NODE = 20;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `mxproof-mcp needs Node ${OLDEST_NODE} or newer and this is ${process.versions.node}: install a newer Node.`,
  );
  process.exit(1);
} else {
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
}
