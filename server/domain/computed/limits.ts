// What is done before a request is answered, and what is left to a job. Tests make these numbers small.
export const limits = {
  /** Records of a table whose cells are filled at once when a field is added or changed. */
  filledAtOnce: 1_000,
  /** Records of one step that a write settles itself: about a quarter of a second. */
  reached: 10_000,
};
