// The way to an account, by its number.
import { Link } from '@tanstack/react-router';

export function AccountLink({ id }: { readonly id: number }) {
  return (
    <Link to="/operator/accounts/$id" params={{ id: String(id) }}>
      {id}
    </Link>
  );
}
