// Front door: what starts the service.
export { signInUrl } from './first-steps.ts';
export { type Roles, serve } from './main.ts';
export { LINK_MINUTES } from '../store/sign-in-links.ts';
