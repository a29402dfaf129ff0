// The doctor's checks of each source: reach, address, names, sender, block lists. What is learnt from mail servers is learnt once
// for all of them (source-findings.ts).
import type { CheckResult, DoctorCheck, DoctorContext } from './doctor-check.ts';
import { inTime } from './in-time.ts';
import { judgeAddress } from './source-address.ts';
import { judgeBlockLists } from './source-blocklists.ts';
import { createFindSources, type SourceFindings } from './source-findings.ts';
import { judgeHelo } from './source-helo.ts';
import { judgePort25 } from './source-port25.ts';
import { judgePtr } from './source-ptr.ts';
import { judgeSpf } from './source-spf.ts';
import { aboutSource, sourcesOf } from './sources.ts';

const NO_ADDRESS: CheckResult = {
  status: 'skipped',
  detail: 'The address that the world sees is not known: see source.port25 and source.address.',
  advice: null,
};

const NO_BLOCK_LIST: CheckResult = {
  status: 'skipped',
  detail: 'MXPROOF_BLOCKLISTS names no block list.',
  advice: null,
};

/** `dialogueMs`: how long one mail server is waited for; another in tests. */
export function createSourceChecks(dialogueMs?: number): readonly DoctorCheck[] {
  const find = createFindSources(dialogueMs);
  const check = (
    id: string,
    title: string,
    judge: (
      context: DoctorContext,
      findings: SourceFindings,
    ) => readonly CheckResult[] | Promise<readonly CheckResult[]>,
  ): DoctorCheck => ({
    id,
    title,
    needs: ['network'],
    run(context, signal) {
      const work = async () => {
        const all = await Promise.all((await find(context)).map((findings) => judge(context, findings)));
        return all.flat();
      };
      return inTime(work(), signal);
    },
  });
  const listed = check('source.blocklists', 'Block lists', ({ resolver, config }, findings) =>
    eachAddress(findings, (address) => judgeBlockLists(resolver, config.blockLists, address)),
  );
  return [
    check('source.port25', 'Outbound port 25', ({ config }, findings) => [
      judgePort25(findings, config.smtpPort),
    ]),
    check('source.address', 'Address that the world sees', ({ config }, findings) => [
      judgeAddress(findings, config.allowPrivateTargets),
    ]),
    check('source.ptr', 'Name of the address (PTR)', ({ resolver }, findings) =>
      eachAddress(findings, (address) => judgePtr(resolver, address, findings.source.helo)),
    ),
    {
      id: 'source.helo',
      title: 'HELO name',
      needs: [],
      run: async ({ config }) => (await sourcesOf(config)).map(judgeHelo),
    },
    check('source.spf', 'SPF of the sender', ({ resolver }, findings) =>
      eachAddress(findings, (address) => judgeSpf(resolver, findings.source, address)),
    ),
    {
      ...listed,
      run: async (context, signal) =>
        context.config.blockLists.length === 0 ? NO_BLOCK_LIST : listed.run(context, signal),
    },
  ];
}

export const SOURCE_CHECKS: readonly DoctorCheck[] = createSourceChecks();

async function eachAddress(
  { source, outward }: SourceFindings,
  judge: (address: string) => Promise<CheckResult | readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  const all = await Promise.all(outward.map(judge));
  const results = outward.length === 0 ? [NO_ADDRESS] : all.flat();
  return results.map((result) => ({ ...result, ...aboutSource(source) }));
}
