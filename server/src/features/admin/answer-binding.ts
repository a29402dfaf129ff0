/** Binds a remembered answer, which is sealed, to its row. */
export const answerBinding = (id: number): string => `admin answer ${id}`;
