// Which address shows which page. Check comes with the first script; every other page is loaded when it is opened.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { CheckPage } from './check/check-page.tsx';
import { NotFound, PageProblem } from './shell/page-problem.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

export const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: CheckPage,
    validateSearch: ({ check }: Record<string, unknown>): { readonly check?: number } =>
      Number.isSafeInteger(check) && Number(check) > 0 ? { check: Number(check) } : {},
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/lists',
    component: lazyRouteComponent(() => import('./lists/lists-page.tsx'), 'ListsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/lists/$id',
    component: lazyRouteComponent(() => import('./list/list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/new',
    component: lazyRouteComponent(() => import('./new-list/new-list-page.tsx'), 'NewListPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/bounces',
    component: lazyRouteComponent(() => import('./bounces/bounces-page.tsx'), 'BouncesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/outcomes',
    component: lazyRouteComponent(() => import('./outcomes/outcomes-page.tsx'), 'OutcomesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/guide',
    component: lazyRouteComponent(() => import('./guide/guide-page.tsx'), 'GuidePage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...routes]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});
