// Takes this browser's session to another account of its person, or to the other side of its account.
import { ConnectionFailed, type SwitchSessionBody } from '@mxproof/client';
import { sessionProof } from '../shell/session-proof.ts';

export async function switchTo(body: SwitchSessionBody): Promise<void> {
  const answer = await fetch('/session/switch', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-mxproof-console': '1',
      'mxproof-session-proof': sessionProof() ?? '',
    },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new ConnectionFailed('No answer from the service.', { cause });
  });
  if (!answer.ok) throw new Error(`POST /session/switch: ${answer.status}`);
}
