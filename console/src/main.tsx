// Starts the console.
import './design/base.css';
import './design/controls.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { keys, whenRoleRefused, whenSignedOut } from './shell/api.ts';
import { followSwitches } from './shell/own-session.ts';
import { isWorthRetrying } from './shell/problem.ts';

const queries = new QueryClient({
  defaultOptions: {
    // The client retries by itself; what is left is shown.
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: isWorthRetrying },
    mutations: { retry: false },
  },
});

whenSignedOut(() => void queries.invalidateQueries({ queryKey: keys.account, exact: true }));
whenRoleRefused(() => void queries.invalidateQueries({ queryKey: keys.session }));

/** The operator's pages have nothing of an account around them, nor ask for one. */
const isOperator = /^\/operator(\/|$)/.test(location.pathname);
if (isOperator) void import('./operator/operator-router.tsx').then((pages) => show(pages.operatorRouter));
else {
  followSwitches();
  show(router);
}

function show(shown: AnyRouter): void {
  createRoot(document.getElementById('page')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={shown} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
