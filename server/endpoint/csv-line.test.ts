import { expect, test } from 'vitest';
import { csvLine } from './csv-line.ts';

test('commas, quotes and line ends are kept, and nothing is a formula', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ''])).toBe('a,"b,c","d""e","f\ng",\r\n');
  expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', 'a=b'])).toBe("'=1+1,'+1,'-1,'@x,'\tx,a=b\r\n");
});
