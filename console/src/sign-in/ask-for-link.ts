// Asks the service for a sign-in link by mail.
import { ConnectionFailed } from '@mxproof/client';

const BAD_REQUEST = 400;
const TOO_MANY = 429;

export async function askForLink(email: string): Promise<'sent' | 'bad_email' | 'too_many'> {
  if (email === '') return 'bad_email';
  const answer = await ask(email);
  if (answer.ok) return 'sent';
  if (answer.status === BAD_REQUEST) return 'bad_email';
  if (answer.status === TOO_MANY) return 'too_many';
  throw new Error(`POST /sign-in/mail: ${answer.status}`);
}

async function ask(email: string): Promise<Response> {
  try {
    return await fetch('/sign-in/mail', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-mxproof-console': '1' },
      body: JSON.stringify({ email }),
    });
  } catch (cause) {
    throw new ConnectionFailed('No answer from the service.', { cause });
  }
}
