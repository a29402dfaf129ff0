// What a text is that is no table: contacts, data, pages and messages, which people export by mistake.
// Promise: decided by what only they begin with; a table that begins with a bracket or a colon is left alone.

import type { ForeignFile } from './foreign-file.ts';
import { isJson } from './is-json.ts';

/** Where a page, a document or the header of a message says what it is. */
const LOOKED_AT_CHARACTERS = 16_384;

/** `text`: the beginning of the file, decoded, without a byte-order mark. */
export function textKind(text: string, isWhole: boolean): ForeignFile | null {
  const head = text.slice(0, LOOKED_AT_CHARACTERS).trimStart();
  if (/^BEGIN:VCARD\s/i.test(head)) return { format: 'address_book', name: 'an address book (vCard)' };
  if (/^(?:version: 1\s{1,4})?dn::? \S/.test(head))
    return { format: 'address_book', name: 'an address book (LDIF)' };
  if (/^BEGIN:VCALENDAR\s/i.test(head)) return { format: 'unsupported', name: 'a calendar (iCalendar)' };
  if (head.startsWith('<')) return markupKind(head);
  if (/^[[{]/.test(head) && isJson(text, isWhole)) return { format: 'json', name: 'data in JSON' };
  return mailKind(head);
}

function markupKind(head: string): ForeignFile | null {
  const isXml = head.startsWith('<?xml');
  const isPage = /^<(?:!doctype html|html|head|body|meta|style|table)[\s>]/i.test(head);
  if (isPage || (isXml && /<html[\s>]/i.test(head)))
    return { format: 'web_page', name: 'a web page (HTML), though its name may end in .xls' };
  if (!isXml) return null;
  if (head.includes('urn:schemas-microsoft-com:office:spreadsheet'))
    return { format: 'xml_workbook', name: 'an Excel workbook of 2003 (XML)' };
  if (head.includes('urn:oasis:names:tc:opendocument'))
    return { format: 'open_document', name: 'an OpenDocument file (XML)' };
  return { format: 'unsupported', name: 'an XML document' };
}

const FIELD = /^([!-9;-~]{1,70}):/;
/** Fields that a message has and that no heading of a table is followed by a colon and a value for. */
const OF_MESSAGES = ['message-id', 'received', 'return-path', 'mime-version'];

/** A message as mail programs save it, a folder of them (mbox), or a web page in the shape of one. */
function mailKind(head: string): ForeignFile | null {
  if (/^From \S{1,320} +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d/.test(head))
    return { format: 'mail', name: 'a folder of messages (mbox)' };
  const names = new Set<string>();
  for (const line of head.split(/\r?\n/)) {
    if (line === '') break;
    const field = FIELD.exec(line)?.[1];
    if (field !== undefined) names.add(field.toLowerCase());
    // A field may go on in the next line.
    else if (!/^[ \t]/.test(line) || names.size === 0) return null;
  }
  if (names.has('mime-version') && /multipart\/related/i.test(head) && /\btext\/html\b/i.test(head))
    return { format: 'web_page', name: 'a web page (MHTML), though its name may end in .xls' };
  return names.has('from') && OF_MESSAGES.some((name) => names.has(name))
    ? { format: 'mail', name: 'an e-mail message' }
    : null;
}
