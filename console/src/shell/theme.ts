// Light, dark, or as the system has it. Kept in this browser; public/theme.js sets it before the first paint.
import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = 'mxproof-theme';
const changed = new EventTarget();

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(onChange, shownTheme), setTheme];
}

function shownTheme(): Theme {
  return asTheme(document.documentElement.dataset.theme);
}

function asTheme(stored: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

function setTheme(theme: Theme): void {
  show(theme);
  try {
    if (theme === 'system') localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, theme);
  } catch {
    // Where storage is forbidden, the choice lasts as long as the page.
  }
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  changed.dispatchEvent(new Event('change'));
}

function onChange(listener: () => void): () => void {
  // Other tabs follow.
  const elsewhere = (event: StorageEvent) => event.key === STORED_AS && show(asTheme(event.newValue));
  changed.addEventListener('change', listener);
  window.addEventListener('storage', elsewhere);
  return () => {
    changed.removeEventListener('change', listener);
    window.removeEventListener('storage', elsewhere);
  };
}
