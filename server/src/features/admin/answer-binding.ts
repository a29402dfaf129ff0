/** What binds a remembered answer to its row. */
export const answerBinding = (id: number) => `admin answer ${id}`;
