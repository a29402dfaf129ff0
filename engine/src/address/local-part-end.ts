// Finds the @ that ends a local part in the syntax of RFC 5321: a dot-string (`a.b+c`) or one quoted string (`"a b"`),
// with the non-ASCII characters of RFC 6531. No comments, no folding, no obsolete mixtures.
//
// RFC 6531 allows any non-ASCII character in a local part. We refuse those that cannot be typed or seen (controls,
// blanks, zero-width and bidi marks, private use, damaged text) and those that a server folding to compatibility form
// would read as @, a dot or a bracket. Letters that merely look alike in two scripts are allowed: the server knows its
// mailboxes, and is asked about exactly what was given.

export interface LocalPartEnd {
  /** Where the @ stands. */
  readonly at: number;
  readonly ascii: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const AT = 0x40;
const DOT = 0x2e;
const SPACE = 0x20;
const TILDE = 0x7e;
const FIRST_BEYOND_ASCII = 0x80;

/** RFC 5322 atext, by code. */
const ATEXT = new Uint8Array(FIRST_BEYOND_ASCII);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[character.charCodeAt(0)] = 1;
}

// Default-ignorable takes in zero-width and bidi marks, fillers and tags; the two selectors U+FE0E and U+FE0F
// are what keyboards append to an emoji. U+2400–243F are pictures of control characters, U+FFFD and U+FFFC
// are what is left of text that was damaged before it came here.
const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2400-\u243f\u2800\ufffc\ufffd]--[\p{ASCII}\ufe0e\ufe0f]]/v;
const NOT_ATEXT_IN_ASCII = /[\x00-\x20"(),.:;<>@[\\\]\x7f]/;

/** The end of the local part, or why there is none. */
export function localPartEnd(text: string): LocalPartEnd | string {
  const end = text.charCodeAt(0) === QUOTE ? quotedEnd(text) : dotStringEnd(text);
  if (typeof end === 'string' || end.ascii) return end;
  return beyondAsciiFault(text.slice(0, end.at)) ?? end;
}

function dotStringEnd(text: string): LocalPartEnd | string {
  let ascii = true;
  let previous = DOT;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= FIRST_BEYOND_ASCII) ascii = false;
    else if (code === AT) {
      if (i === 0) return 'the part before @ is missing';
      return previous === DOT ? 'the part before @ ends with a dot' : { at: i, ascii };
    } else if (code === DOT) {
      if (previous === DOT)
        return i === 0 ? 'the address starts with a dot' : 'the part before @ contains two consecutive dots';
    } else if (ATEXT[code] !== 1) return 'the part before @ contains a character that must be quoted';
    previous = code;
  }
  return 'the address has no @';
}

function quotedEnd(text: string): LocalPartEnd | string {
  let ascii = true;
  for (let i = 1; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === QUOTE)
      return text.charCodeAt(i + 1) === AT ? { at: i + 1, ascii } : 'the closing quote is not followed by @';
    if (code === BACKSLASH) {
      // quoted-pairSMTP escapes printable ASCII only.
      code = text.charCodeAt(++i);
      if (!(code >= SPACE && code <= TILDE)) return 'a backslash is not followed by a printable character';
    } else if (code >= FIRST_BEYOND_ASCII) ascii = false;
    else if (code < SPACE || code > TILDE) return 'the quoted part contains a control character';
  }
  return 'the closing quote is missing';
}

function beyondAsciiFault(local: string): string | null {
  if (!local.isWellFormed()) return 'the part before @ contains half of a surrogate pair';
  if (UNSEEN.test(local)) return 'the part before @ contains an invisible or undefined character';
  const beyond = local.replace(/[\x00-\x7f]+/g, '').normalize('NFKC');
  return NOT_ATEXT_IN_ASCII.test(beyond)
    ? 'the part before @ contains a look-alike of a special character'
    : null;
}
