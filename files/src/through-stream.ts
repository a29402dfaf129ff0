// Chunks through a stream of the runtime, such as one that unpacks, with its backpressure. Promise: nothing of it goes on when the
// reader stops early.

export async function* through(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  stream: CompressionStream | DecompressionStream,
): AsyncIterable<Uint8Array> {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const written = (async () => {
    for await (const chunk of chunks) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  })();
  // The reader below rejects as well; without this it would also be an unhandled rejection.
  written.catch((error) => writer.abort(error).catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    await written;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
