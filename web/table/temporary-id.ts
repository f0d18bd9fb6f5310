// A record that was just added is shown before the server has made it, under an id of our own.
let last = 0;

export const temporaryId = (): string => `new:${(last += 1)}`;

export const isTemporary = (recordId: string): boolean => recordId.startsWith('new:');

/** With this the server makes a record once, even if it is asked again because its answer was lost. */
export const onceKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
