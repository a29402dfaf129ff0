// temporary until the engine exports createChecker
import type { Checker } from '@mxproof/engine';
import type { Config } from './config.ts';
export async function createCheckerFor(_config: Config, _warn: (line: string) => void): Promise<Checker> {
  const finding = (email: string) => ({ email, state: 'unknown', reason: 'dns_error', score: 0, acceptAll: false, role: false, free: false, disposable: false, mx: null, provider: '', evidence: { dns: null, host: null, ip: null, source: null, tls: false, session: [], dialogue: [], rule: 'stub', suggestion: null, attempts: 0 } }) as const;
  return {
    check: async (email) => finding(email),
    async *checkAll(emails) { for await (const email of emails) yield finding(email); },
    async ask(questions, options) { questions.forEach((q, i) => options.onOutcome(i, { kind: 'final', finding: finding(q.email) })); },
    reachable: true,
    async close() {},
  };
}
