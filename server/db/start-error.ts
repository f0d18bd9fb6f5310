/** What stops a start and is no fault of the program: shown as one line that says what to do. */
export class StartError extends Error {}
