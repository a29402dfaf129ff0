import { defineTool } from '../tool.ts';

export const account = defineTool({
  name: 'account',
  title: 'Account and limits',
  description:
    'The balance of the account, whether its key is a test key, whether the service can check at the moment, and what this run ' +
    'may still spend. Free.',
  input: {},
  async run(_input, { mx, signal, spending, readOnly }) {
    const [own, status] = await Promise.all([mx.account.get({ signal }), mx.status({ signal })]);
    return {
      account_name: own.name,
      mode: mx.mode,
      credits: own.credits,
      credits_used: own.credits_used,
      this_run: {
        read_only: readOnly,
        credits_limit: readOnly ? 0 : spending.limit,
        credits_left: readOnly ? 0 : spending.left,
      },
      checking: status.checking,
      held_up_by: status.reasons.map(({ code, advice }) => ({ code, advice })),
    };
  },
});
