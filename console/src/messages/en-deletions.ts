// English, of what is said when a list is deleted: loaded with the first deletion, since the first script has no room for more.

export const deletionMessages = {
  deleted: (name: string) => `${name} deleted.`,
  failed: (name: string) => `${name} could not be deleted.`,
  undo: 'Undo',
  notUndone: (name: string) => `${name} could not be restored.`,
  tooLate: 'It is too late: its data has been deleted.',
};
