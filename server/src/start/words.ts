// Front door: the words of the API and of the store that commands take as arguments. Promise: help loads it, so it
// brings neither the engine nor a database driver.

export { CHECK_GROUPS, CHECK_NAMES } from '../features/doctor/doctor-check-ids.ts';
export { AUDIT_ACTORS, AUDIT_WORDS } from '../rules/audit.ts';
export { isCidr } from '../rules/cidr.ts';
export { KEY_ACCESS } from '../rules/key-access.ts';
export { FLAGS } from '../rules/result-filter.ts';
export { MAX_KEPT_DAYS } from '../rules/retention.ts';
export { WEBHOOK_EVENTS } from '../rules/webhook-events.ts';
export type { CallbackState } from '../store/callbacks.ts';
