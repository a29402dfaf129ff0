export function NewListPage() {
  return null;
}
