// Loaded into the service and its threads before anything else (`--import`): a thread that reads a body with DEADLY in it
// dies, as one does that runs out of memory.
import { isMainThread } from 'node:worker_threads';

const DEADLY = 'this-body-kills-its-thread';

if (!isMainThread) {
  const decode = TextDecoder.prototype.decode;
  TextDecoder.prototype.decode = function decodeOrDie(...given) {
    const text = decode.apply(this, given);
    if (text.includes(DEADLY)) process.exit(1);
    return text;
  };
}
