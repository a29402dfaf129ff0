// How the console is built: everything in separate files, so that the policy needs no exception; one chunk per page.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Replaced by the service with a new one for each response.
  html: { cspNonce: '__CSP_NONCE__' },
  // Workers are pieces too: what the page and they share is loaded once, and the lists of domains when needed.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined files would need `data:` in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // The notices that the licences of what is built in ask for; pack.ts brings them along.
    license: true,
    // What every page needs is one piece: many small ones take more bytes than they hold.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shell',
              // The style sheets of `main.tsx` too: another piece's would otherwise come before them.
              test: /@tanstack\/react-router\/|console\/src\/(?:shell\/(?!shortcut-help)|messages\/(?!en-)|design\/(?:base|controls|button|notice|state-mark|fact|format))/,
            },
          ],
        },
      },
    },
  },
});
