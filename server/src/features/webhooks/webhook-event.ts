// What is sent to an endpoint: its id and its bytes.

const TEST_PREFIX = 'test_';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A receiver of live events can tell it from the id alone, which the signature covers. */
export function messageId(uuid: string, test: boolean): string {
  return `${test ? TEST_PREFIX : ''}${uuid}`;
}

/** Null: no message has this id. */
export function uuidOf(id: string): string | null {
  const uuid = id.startsWith(TEST_PREFIX) ? id.slice(TEST_PREFIX.length) : id;
  return UUID.test(uuid) ? uuid : null;
}
