// What a test key is for, and which words decide the result of an address.
import { ActionMark } from '../design/action-mark.tsx';
import { account } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';

const text = account;
/** As the service decides in test mode; words of the API, not to be translated. */
const WORDS = [
  ['low-deliverability, catch-all', 'risky', 'low_deliverability'],
  ['low-quality', 'risky', 'low_quality'],
  ['disposable', 'risky', 'disposable'],
  ['rejected-email', 'undeliverable', 'rejected_email'],
  ['invalid-domain', 'undeliverable', 'invalid_domain'],
  ['invalid-email', 'undeliverable', 'invalid_email'],
  ['unavailable-smtp', 'unknown', 'unavailable_smtp'],
  ['no-connect', 'unknown', 'no_connect'],
  ['dns-error', 'unknown', 'dns_error'],
] as const;
const OTHERS = [
  ['slow', text.slow],
  ['insufficient-credits', text.noCredits],
  ['rate-limited', text.tooMany],
] as const;

export function TestModeNotice() {
  return (
    <div className="test-mode-notice">
      <p>{text.testMode}</p>
      <details className="more">
        <summary>{text.testWords}</summary>
        <table className="table small">
          <thead>
            <tr>
              <th scope="col">{text.word}</th>
              <th scope="col">{text.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {WORDS.map(([words, state, reason]) => (
              <tr key={words}>
                <td className="mono">{words}</td>
                <td>
                  <ActionMark row={{ state, reason }} /> {messages.reasons[reason]}
                </td>
              </tr>
            ))}
            {OTHERS.map(([word, outcome]) => (
              <tr key={word}>
                <td className="mono">{word}</td>
                <td>{outcome}</td>
              </tr>
            ))}
            <tr>
              <td>{text.anyOther}</td>
              <td>
                <ActionMark row={{ state: 'deliverable', reason: 'accepted_email' }} />{' '}
                {messages.reasons.accepted_email}
              </td>
            </tr>
          </tbody>
        </table>
      </details>
    </div>
  );
}
