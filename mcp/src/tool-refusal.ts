/** What a tool itself refuses. Its message is one sentence that says what to do. */
export class ToolRefusal extends Error {}
