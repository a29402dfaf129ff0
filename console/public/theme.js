// The theme that was chosen in this browser, set before anything is painted. A file of its own, since the policy allows
// no script within the page; not a module, since modules run after the first paint.
try {
  const theme = localStorage.getItem('mxproof-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme is shown then.
}
