// Ctrl-C for commands that wait for something that goes on without them.

/** Runs `work` with a signal that the first Ctrl-C aborts; a second one ends the process as usual. */
export async function whileNotInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'interrupted'> {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.once('SIGINT', interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return 'interrupted';
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
