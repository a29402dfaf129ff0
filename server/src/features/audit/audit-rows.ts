export async function* auditRows(..._: unknown[]): AsyncGenerator<never> {}
