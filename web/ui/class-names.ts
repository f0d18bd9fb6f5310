/** Joins what is there: `classNames('a', isOpen && 'b')`. */
export const classNames = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join(' ');
