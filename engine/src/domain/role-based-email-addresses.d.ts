// The package ships no types: by its documentation, an array of local parts.
declare module 'role-based-email-addresses' {
  const roles: readonly string[];
  export = roles;
}
