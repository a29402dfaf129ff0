// The name of a file that comes back: `people.csv` → `people-checked.csv`, or another part of it: `people-good.csv`.

export function checkedName(name: string, part = 'checked'): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name || 'list'}-${part}` : `${name.slice(0, dot)}-${part}${name.slice(dot)}`;
}
