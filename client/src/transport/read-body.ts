// Reads an answer's body into text. Promise: never more than the bound is held, and a body that is cut off is an error.

/** A page of 10,000 rows of the longest addresses stays below it. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export class BodyTooLarge extends Error {}

export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: a peer that sends without end may not react to the cancellation either.
      reader.cancel().catch(() => {});
      throw new BodyTooLarge(`more than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
