// Which address shows which of the operator's pages. They are a console of their own, loaded where an address begins with /operator:
// nothing of an account is around them, and an account's pages know nothing of them.
import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/messages.ts';
import type { routes } from '../router.tsx';
import { PageProblem } from '../shell/page-problem.tsx';
import { AccountsPage } from './accounts-page.tsx';
import { AllCallbacksPage } from './all-callbacks-page.tsx';
import { AllListsPage } from './all-lists-page.tsx';
import { DoctorPage } from './doctor-page.tsx';
import type { Filters } from './filters.ts';
import { NodesPage } from './nodes-page.tsx';
import { OneAccountPage } from './one-account-page.tsx';
import { OperatorShell } from './operator-shell.tsx';
import { OverviewPage } from './overview-page.tsx';
import { PageHead } from './page-parts.tsx';
import { SourcesPage } from './sources-page.tsx';
import { TrailPage } from './trail-page.tsx';

const root = createRootRoute();

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  component: OperatorShell,
  notFoundComponent: () => <PageHead title={messages.problems.noPage} intro={messages.problems.noPageWhy} />,
});

function page<Path extends string>(path: Path, component: RouteComponent) {
  // Pages read them with filtersOf.
  return createRoute({
    getParentRoute: () => operator,
    path,
    component,
    validateSearch: (given: Filters) => given,
  });
}

const tree = operator.addChildren([
  page('/', OverviewPage),
  page('/accounts', AccountsPage),
  page('/accounts/$id', OneAccountPage),
  page('/lists', AllListsPage),
  page('/sources', SourcesPage),
  page('/callbacks', AllCallbacksPage),
  page('/nodes', NodesPage),
  page('/audit', TrailPage),
  page('/doctor', DoctorPage),
]);

export const operatorRouter = createRouter({
  routeTree: root.addChildren([tree]),
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
});

/** For the types of links alone, of which there is one set. */
const both = (accounts: typeof routes) => createRouter({ routeTree: root.addChildren([...accounts, tree]) });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof both>;
  }
}
