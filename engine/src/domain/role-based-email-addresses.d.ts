// The package ships no types: an array of local parts, by all that is documented.
declare module 'role-based-email-addresses' {
  const roles: readonly string[];
  export = roles;
}
