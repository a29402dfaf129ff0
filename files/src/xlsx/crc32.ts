// CRC-32 as ZIP has it.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** `crc`: of the bytes before, 0 at first. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  let value = ~crc;
  for (let at = 0; at < bytes.length; at += 1) value = TABLE[(value ^ bytes[at]!) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}
