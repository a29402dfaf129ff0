// Releases large buffers at once instead of leaving them to the garbage collector, which lets them accumulate.

/** They must not be used afterwards. Buffers in Node's shared slab are left alone. */
export function free(buffers: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of buffers)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
