// Which address shows which page. Check comes with the first script; every other page is loaded when it is opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useLocation,
} from '@tanstack/react-router';
import { CheckPage } from './check/check-page.tsx';
import {
  accountsSearch,
  auditSearch,
  callbacksSearch,
  listsSearch,
  overviewSearch,
} from './operator/searches.ts';
import { NotFound, PageProblem } from './shell/page-problem.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

/** The operator's pages have nothing of an account around them, nor ask for one. */
function Root() {
  const isOperator = useLocation({ select: ({ pathname }) => /^\/operator(\/|$)/.test(pathname) });
  return isOperator ? <Outlet /> : <Shell />;
}

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  component: lazyRouteComponent(() => import('./operator/operator-shell.tsx'), 'OperatorShell'),
});
const operatorPages = [
  createRoute({
    getParentRoute: () => operator,
    path: '/',
    component: lazyRouteComponent(() => import('./operator/overview-page.tsx'), 'OverviewPage'),
    validateSearch: overviewSearch,
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/accounts',
    component: lazyRouteComponent(() => import('./operator/accounts-page.tsx'), 'AccountsPage'),
    validateSearch: accountsSearch,
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/accounts/$id',
    component: lazyRouteComponent(() => import('./operator/one-account-page.tsx'), 'OneAccountPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/lists',
    component: lazyRouteComponent(() => import('./operator/all-lists-page.tsx'), 'AllListsPage'),
    validateSearch: listsSearch,
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/sources',
    component: lazyRouteComponent(() => import('./operator/sources-page.tsx'), 'SourcesPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/callbacks',
    component: lazyRouteComponent(() => import('./operator/all-callbacks-page.tsx'), 'AllCallbacksPage'),
    validateSearch: callbacksSearch,
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/nodes',
    component: lazyRouteComponent(() => import('./operator/nodes-page.tsx'), 'NodesPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/audit',
    component: lazyRouteComponent(() => import('./operator/trail-page.tsx'), 'TrailPage'),
    validateSearch: auditSearch,
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/doctor',
    component: lazyRouteComponent(() => import('./operator/doctor-page.tsx'), 'DoctorPage'),
  }),
] as const;

const routes = [
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
  routeTree: root.addChildren([...routes, operator.addChildren([...operatorPages])]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
