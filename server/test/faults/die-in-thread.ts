// Loaded into the service and its threads before anything else (`--import`): a thread that reads a body with DEADLY in it
// dies, as one does that runs out of memory.
import { isMainThread } from 'node:worker_threads';

const DEADLY = 'this-body-kills-its-thread';

if (!isMainThread) {
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    if (text.includes(DEADLY)) process.exit(1);
    return parse(text, reviver);
  };
}
