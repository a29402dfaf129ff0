// Bytes as text of any kind. Promise: every string can be written as bytes, lone surrogates and NUL included.

/** The first byte says how the rest is to be read. */
export function textOf(input: Buffer): string {
  const rest = input.subarray(1);
  switch ((input[0] ?? 0) % 3) {
    case 0:
      return rest.toString('utf8');
    case 1:
      return rest.toString('latin1');
    default:
      return utf16Of(rest);
  }
}

/** Not by Buffer#toString: Node 24.21 writes behind its own memory where bytes and address are odd. */
function utf16Of(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes.readUInt16LE(at));
  return text;
}
