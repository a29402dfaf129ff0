// Whether this process runs under systemd or in a container, where SIGHUP means "read the settings again". Elsewhere it is the
// terminal's, which has gone away.
import { existsSync } from 'node:fs';

interface OwnProcess {
  readonly pid: number;
  readonly ppid: number;
  /** A launcher started it, and passes signals on. */
  readonly hasLauncher: boolean;
}

/** Made by Docker and by Podman. */
const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv'];

const OWN_PROCESS: OwnProcess = {
  pid: process.pid,
  ppid: process.ppid,
  hasLauncher: process.channel !== undefined,
};

export function isSupervised(
  env: Readonly<Record<string, string | undefined>>,
  { pid, ppid, hasLauncher }: OwnProcess = OWN_PROCESS,
  exists: (path: string) => boolean = existsSync,
): boolean {
  const first = hasLauncher ? ppid : pid;
  // Of the very process that systemd started: a shell that it started hands the variable down.
  if (env.SYSTEMD_EXEC_PID === String(first)) return true;
  const isContainer = Boolean(env.KUBERNETES_SERVICE_HOST) || CONTAINER_FILES.some(exists);
  // Below an init such as tini, too; not from a shell in the container.
  return first === 1 || (isContainer && (ppid === 1 || ppid === 0));
}
