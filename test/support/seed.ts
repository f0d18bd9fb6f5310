// One seed for all that is drawn by chance in a run: another each time, or that of `TEST_SEED`. CI takes it from the program, so the same program
// is judged by the same cases.
import fc from 'fast-check';

const given = process.env['TEST_SEED'];

export const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);

/** Before each test file. fast-check tells its own seed when a property fails. */
export const seedProperties = (): void => {
  if (given !== undefined) fc.configureGlobal({ seed });
};
