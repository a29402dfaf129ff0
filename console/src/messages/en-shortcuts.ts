// English, of the help that `?` opens: loaded with it, since the first script has no room for more.

export const shortcutKeys = [
  ['/', 'Go to the search or address field'],
  ['n', 'New list'],
  ['?', 'Show this help'],
] as const;
