// The name of a file that comes back: `people.csv` → `people-checked.csv`.

export function checkedName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name || 'list'}-checked` : `${name.slice(0, dot)}-checked${name.slice(dot)}`;
}
