// Front door: what starts the service.

export type { Roles } from '../features/feature.ts';
export { LINK_MINUTES } from '../store/sign-in-links.ts';
export { signInUrl } from './first-steps.ts';
export { serve } from './main.ts';
