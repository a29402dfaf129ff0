// Reads text/event-stream (the HTML standard's server-sent events) from pieces of text, wherever they are cut.
// Promise: never more than the bound is held, however long a line or an event is.

export interface ServerEvent {
  /** `message` if the stream named none. */
  readonly event: string;
  readonly data: string;
  /** The last id the stream gave, for `Last-Event-ID`. */
  readonly id: string;
}

/** A line and the data before it; the service's largest event, a callback of a test list, is a few kilobytes. */
export const MAX_EVENT_CHARACTERS = 1024 * 1024;

export class EventTooLarge extends Error {}

export class EventReader {
  #line = '';
  #isFirst = true;
  #afterReturn = false;
  #event = '';
  #data: string[] = [];
  #held = 0;
  #id = '';

  /** @returns the events that this piece completes */
  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = 0;
    if (this.#afterReturn && piece !== '') {
      if (piece[0] === '\n') from = 1;
      this.#afterReturn = false;
    }
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = from;
    for (let end = ends.exec(piece); end !== null; end = ends.exec(piece)) {
      this.#hold(piece.slice(from, end.index));
      from = ends.lastIndex;
      if (end[0] === '\r' && from === piece.length) this.#afterReturn = true;
      const event = this.#take(this.#line);
      this.#line = '';
      if (event !== null) events.push(event);
    }
    this.#hold(piece.slice(from));
    return events;
  }

  #hold(text: string): void {
    if (this.#held + this.#line.length + text.length > MAX_EVENT_CHARACTERS)
      throw new EventTooLarge(`an event of more than ${MAX_EVENT_CHARACTERS} characters`);
    this.#line += text;
  }

  #take(whole: string): ServerEvent | null {
    const line = this.#isFirst && whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
    this.#isFirst = false;
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? '' : line.slice(colon + 1);
    const value = rest.startsWith(' ') ? rest.slice(1) : rest;
    if (field === 'event') this.#event = value;
    if (field === 'id' && !value.includes('\0')) this.#id = value;
    if (field === 'data') {
      this.#data.push(value);
      this.#held += value.length + 1;
    }
    return null;
  }

  #dispatch(): ServerEvent | null {
    const { length } = this.#data;
    const event = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id };
    this.#event = '';
    this.#data = [];
    this.#held = 0;
    return length === 0 ? null : event;
  }
}
