// The address that a server says it sees us at, in its answer to EHLO. Promise: only what stands in brackets and reads as an
// address counts; the name we greeted it with, sent back, does not.
//
//   mx.google.com at your service, [203.0.113.7]
//   gmx.net Hello mx1.example.com [203.0.113.7]
//   host Hello [IPv6:2001:db8::1], pleased to meet you
import { readIp } from '../../rules/cidr.ts';
import { addressText } from './ip-names.ts';

/** An address has at most 45 characters. */
const BRACKETED = /\[(?:IPv6:)?([0-9a-f:.]{2,45})\]/gi;
const LINE_MAX_CHARS = 1_000;

/** `line`: the first of the answer, without its code. Null: it does not say. */
export function seenAddress(line: string, helo: string): string | null {
  const found = [...line.slice(0, LINE_MAX_CHARS).matchAll(BRACKETED)];
  // What the server adds stands behind what it was told.
  const last = found.filter(([whole]) => whole.toLowerCase() !== helo.toLowerCase()).at(-1)?.[1];
  const ip = last === undefined ? null : readIp(last);
  return ip === null ? null : addressText(ip);
}
