// What the command line says about itself, and how a wrong call is refused.

/** A wrong call: one sentence on standard error, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: mxproof <command> …

The service
  serve [--no-checks]          start it: the HTTP interface, and checking unless --no-checks
  work                         start a node that only checks
  migrate                      bring the database to this version's shape, and no more

Accounts
  account create --name N [--credits N] [--json]
  account list [--json]
  account show <account> [--json]
  credits add <account> <credits> [--note TEXT] [--json]
  key create <account> [--label TEXT] [--rate-requests N] [--rate-addresses N] [--json]
  key list <account> [--json]
  key revoke <key>
  secret rotate <account> [--json]
  ledger verify [--json]       recompute every balance and counter, and name any difference

Lists and callbacks
  list show <list> [--json]
  list cancel <list>           end an unfinished list as failed and refund what it did not use
  callback list [--state pending|delivered|failed] [--json]
  callback show <list> [--json]
  callback resend <list>

Checking by hand
  check [address …] [--file F] [--json] [--explain] [--syntax-only]
  reply [--stage rcpt] "550 5.1.1 …" [--json]

Calling a running service
  submit <file> [--url U] [--key K] [--name N] [--callback URL] [--output results.csv]
  follow <list> [--url U] [--key K] [--output results.csv]
                               one address a line; the key also comes from MXPROOF_API_KEY

  demo                         the service on a simulated internet: nothing leaves the machine
  help, version

Addresses for check also come from standard input. The environment is the service's own: docs/guide/operate.md.
`;
