// How many columns of the user's own file stand beside the addresses at most: there is no room for more.
export const MAX_OWN_COLUMNS = 3;
