// Starts the console.
import './design/base.css';
import './design/controls.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { keys, whenSignedOut } from './shell/api.ts';
import { isWorthRetrying } from './shell/problem.ts';

const queries = new QueryClient({
  defaultOptions: {
    // The client retries by itself; what is left is shown.
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: isWorthRetrying },
    mutations: { retry: false },
  },
});

whenSignedOut(() => void queries.invalidateQueries({ queryKey: keys.account, exact: true }));

createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
