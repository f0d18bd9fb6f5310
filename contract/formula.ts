// The functions of formulas as people meet them: what the editor completes and explains, and the guide lists. The examples
// are run by a test. What they do is in server/domain/formula.

type FunctionGroup = 'Number' | 'Text' | 'Logic' | 'Date' | 'List' | 'Record';

export interface FunctionHelp {
  name: string;
  group: FunctionGroup;
  /** What stands in the parentheses; what is in brackets may be left out, … repeats what is before it. */
  values: readonly string[];
  help: string;
  /** A formula and what it gives, as JSON; empty is null. */
  example: [formula: string, result: unknown];
}

const number: Omit<FunctionHelp, 'group'>[] = [
  {
    name: 'SUM',
    values: ['value', '…'],
    help: 'All values added up. Empty ones count as 0.',
    example: ['SUM(1, 2, 3.5)', 6.5],
  },
  {
    name: 'AVERAGE',
    values: ['value', '…'],
    help: 'The sum divided by the number of values. Empty ones count as 0.',
    example: ['AVERAGE(1, 2, 6)', 3],
  },
  {
    name: 'MAX',
    values: ['value', '…'],
    help: 'The largest number, or the latest date.',
    example: ['MAX(1, 3, 2)', 3],
  },
  {
    name: 'MIN',
    values: ['value', '…'],
    help: 'The smallest number, or the earliest date.',
    example: ['MIN(4, 3, 5)', 3],
  },
  {
    name: 'ROUND',
    values: ['number', '[places = 0]'],
    help: 'Rounded to so many decimal places, halves up.',
    example: ['ROUND(3.14159, 2)', 3.14],
  },
  {
    name: 'ROUNDUP',
    values: ['number', '[places = 0]'],
    help: 'Rounded away from zero.',
    example: ['ROUNDUP(2.01)', 3],
  },
  {
    name: 'ROUNDDOWN',
    values: ['number', '[places = 0]'],
    help: 'Rounded towards zero.',
    example: ['ROUNDDOWN(-2.99)', -2],
  },
  {
    name: 'CEILING',
    values: ['number', '[places = 0]'],
    help: 'Rounded up, to the larger number.',
    example: ['CEILING(-2.15, 1)', -2.1],
  },
  {
    name: 'FLOOR',
    values: ['number', '[places = 0]'],
    help: 'Rounded down, to the smaller number.',
    example: ['FLOOR(2.99)', 2],
  },
  { name: 'EVEN', values: ['number'], help: 'The next even number, away from zero.', example: ['EVEN(1.5)', 2] },
  { name: 'ODD', values: ['number'], help: 'The next odd number, away from zero.', example: ['ODD(-2)', -3] },
  { name: 'INT', values: ['number'], help: 'The whole number below.', example: ['INT(-1.5)', -2] },
  { name: 'ABS', values: ['number'], help: 'The number without its sign.', example: ['ABS(-3)', 3] },
  { name: 'SQRT', values: ['number'], help: 'The square root; empty for a negative number.', example: ['SQRT(9)', 3] },
  {
    name: 'POWER',
    values: ['number', 'exponent'],
    help: 'The number to the power of the exponent.',
    example: ['POWER(2, 10)', 1024],
  },
  { name: 'EXP', values: ['number'], help: 'e to the power of the number.', example: ['EXP(0)', 1] },
  { name: 'LOG', values: ['number', '[base = 10]'], help: 'The logarithm.', example: ['LOG(8, 2)', 3] },
  {
    name: 'MOD',
    values: ['number', 'divisor'],
    help: 'What is left after dividing, with the sign of the divisor. Empty when divided by 0.',
    example: ['MOD(-7, 3)', 2],
  },
  {
    name: 'VALUE',
    values: ['text'],
    help: 'The number in a text. Currency signs, letters and commas are left out.',
    example: ['VALUE("1,234.50 EUR")', 1234.5],
  },
];

const text: Omit<FunctionHelp, 'group'>[] = [
  {
    name: 'CONCATENATE',
    values: ['value', '…'],
    help: 'All values as one text, as & does.',
    example: ['CONCATENATE("Room ", 5)', 'Room 5'],
  },
  {
    name: 'LEFT',
    values: ['text', '[count = 1]'],
    help: 'The first characters.',
    example: ['LEFT("Berlin", 3)', 'Ber'],
  },
  {
    name: 'RIGHT',
    values: ['text', '[count = 1]'],
    help: 'The last characters.',
    example: ['RIGHT("Berlin", 3)', 'lin'],
  },
  {
    name: 'MID',
    values: ['text', 'start', 'count'],
    help: 'So many characters from a position on. The first character is at 1.',
    example: ['MID("Berlin", 2, 3)', 'erl'],
  },
  { name: 'LEN', values: ['text'], help: 'How many characters the text has.', example: ['LEN("Berlin")', 6] },
  { name: 'LOWER', values: ['text'], help: 'In small letters.', example: ['LOWER("Berlin")', 'berlin'] },
  { name: 'UPPER', values: ['text'], help: 'In capital letters.', example: ['UPPER("Berlin")', 'BERLIN'] },
  {
    name: 'TRIM',
    values: ['text'],
    help: 'Without spaces at the beginning and the end.',
    example: ['TRIM("  a b ")', 'a b'],
  },
  {
    name: 'FIND',
    values: ['what', 'text', '[start = 1]'],
    help: 'Where it occurs first, case included; 0 if it does not.',
    example: ['FIND("l", "Berlin")', 4],
  },
  {
    name: 'SEARCH',
    values: ['what', 'text', '[start = 1]'],
    help: 'Where it occurs first, in any case; empty if it does not.',
    example: ['SEARCH("L", "Berlin")', 4],
  },
  {
    name: 'SUBSTITUTE',
    values: ['text', 'old', 'new', '[nth]'],
    help: 'Every old text replaced by the new one, or only the nth.',
    example: ['SUBSTITUTE("a-b-c", "-", "+")', 'a+b+c'],
  },
  {
    name: 'REPLACE',
    values: ['text', 'start', 'count', 'new'],
    help: 'So many characters from a position on replaced.',
    example: ['REPLACE("Berlin", 1, 3, "Mer")', 'Merlin'],
  },
  {
    name: 'REGEXP_REPLACE',
    values: ['text', '"pattern"', 'new'],
    help: 'Every match of a regular expression replaced; $1 is its first group.',
    example: ['REGEXP_REPLACE("Smith, Jo", "(\\\\w+), (\\\\w+)", "$2 $1")', 'Jo Smith'],
  },
  { name: 'REPT', values: ['text', 'count'], help: 'The text so many times.', example: ['REPT("ab", 3)', 'ababab'] },
  { name: 'T', values: ['value'], help: 'The value as text.', example: ['T(5)', '5'] },
  {
    name: 'ENCODE_URL_COMPONENT',
    values: ['text'],
    help: 'The text as it can stand in an address.',
    example: ['ENCODE_URL_COMPONENT("a b&c")', 'a%20b%26c'],
  },
  {
    name: 'TEXTBEFORE',
    values: ['text', 'mark', '[nth = 1]', '[ignoreCase]', '[matchEnd]', '[otherwise]'],
    help: 'What stands before the nth mark; counted from the end if negative.',
    example: ['TEXTBEFORE("a-b-c", "-", 2)', 'a-b'],
  },
  {
    name: 'TEXTSPLIT',
    values: ['text', 'mark', '[ignoreEmpty]', '[ignoreCase]'],
    help: 'The parts between the marks, as a list.',
    example: ['TEXTSPLIT("a,b,c", ",")', ['a', 'b', 'c']],
  },
];

const logic: Omit<FunctionHelp, 'group'>[] = [
  {
    name: 'IF',
    values: ['condition', 'then', 'otherwise'],
    help: 'One value if the condition is true, the other if not. Empty, 0 and an empty text are not true.',
    example: ['IF(3 > 2, "yes", "no")', 'yes'],
  },
  {
    name: 'SWITCH',
    values: ['value', 'key', 'result', '…', '[otherwise]'],
    help: 'The result of the first key that the value equals.',
    example: ['SWITCH("b", "a", 1, "b", 2, 0)', 2],
  },
  { name: 'AND', values: ['condition', '…'], help: 'True if all are.', example: ['AND(1 < 2, "text")', true] },
  { name: 'OR', values: ['condition', '…'], help: 'True if one is.', example: ['OR(1 > 2, 0)', false] },
  {
    name: 'XOR',
    values: ['condition', '…'],
    help: 'True if an odd number of them is.',
    example: ['XOR(TRUE, FALSE)', true],
  },
  { name: 'NOT', values: ['condition'], help: 'True if it is not.', example: ['NOT("")', true] },
  { name: 'BLANK', values: [], help: 'An empty value.', example: ['BLANK()', null] },
  {
    name: 'ERROR',
    values: ['[message]'],
    help: 'Makes the whole cell empty; IS_ERROR can tell.',
    example: ['IF(1 > 2, ERROR("impossible"), "fine")', 'fine'],
  },
  {
    name: 'IS_ERROR',
    values: ['value'],
    help: 'True if the value could not be computed: divided by zero, out of range, a text that is no number, a date that is none.',
    example: ['IS_ERROR(1 / 0)', true],
  },
];

const date: Omit<FunctionHelp, 'group'>[] = [
  {
    name: 'NOW',
    values: [],
    help: 'The date and time at which the record is read.',
    example: ['NOW() > "2024-01-01"', true],
  },
  {
    name: 'TODAY',
    values: [],
    help: 'The beginning of the day on which the record is read, in the time zone of the field.',
    example: ['TIMESTR(TODAY())', '00:00:00'],
  },
  { name: 'YEAR', values: ['date'], help: 'The year.', example: ['YEAR("2024-05-17")', 2024] },
  { name: 'MONTH', values: ['date'], help: 'The month, 1 to 12.', example: ['MONTH("2024-05-17")', 5] },
  { name: 'DAY', values: ['date'], help: 'The day of the month.', example: ['DAY("2024-05-17")', 17] },
  { name: 'HOUR', values: ['date'], help: 'The hour, 0 to 23.', example: ['HOUR("2024-05-17 14:30")', 14] },
  { name: 'MINUTE', values: ['date'], help: 'The minute.', example: ['MINUTE("2024-05-17 14:30")', 30] },
  { name: 'SECOND', values: ['date'], help: 'The second.', example: ['SECOND("2024-05-17 14:30:15")', 15] },
  {
    name: 'WEEKDAY',
    values: ['date', '[firstDay = "sunday"]'],
    help: 'The day of the week, 0 to 6, from Sunday or from "monday".',
    example: ['WEEKDAY("2024-05-17")', 5],
  },
  {
    name: 'WEEKNUM',
    values: ['date'],
    help: 'The week of the year. Weeks begin on Sunday, the first has January 1 in it.',
    example: ['WEEKNUM("2024-05-17")', 20],
  },
  {
    name: 'DATE_ADD',
    values: ['date', 'count', 'unit'],
    help: 'So much later, or earlier if negative. Units: millisecond, second, minute, hour, day, week, month, quarter, year.',
    example: ['DATE_ADD("2024-01-31", 1, "month")', '2024-02-29T00:00:00.000Z'],
  },
  {
    name: 'DATETIME_DIFF',
    values: ['date', 'other', '[unit = "day"]', '[exact]'],
    help: 'How long after the other date it is, with fractions.',
    example: ['DATETIME_DIFF("2024-01-02 12:00", "2024-01-01")', 1.5],
  },
  {
    name: 'IS_SAME',
    values: ['date', 'other', '[unit = "day"]'],
    help: 'Whether both are on the same day, in the same month …',
    example: ['IS_SAME("2024-01-05", "2024-01-20", "month")', true],
  },
  {
    name: 'IS_BEFORE',
    values: ['date', 'other', '[unit = "day"]'],
    help: 'Whether it is on an earlier day, in an earlier month …',
    example: ['IS_BEFORE("2024-01-05", "2024-01-20")', true],
  },
  {
    name: 'IS_AFTER',
    values: ['date', 'other', '[unit = "day"]'],
    help: 'Whether it is on a later day, in a later month …',
    example: ['IS_AFTER("2024-01-05", "2024-01-20")', false],
  },
  {
    name: 'FROMNOW',
    values: ['date', 'unit', '[exact]'],
    help: 'How far the date is from now, in whole units unless exact is true.',
    example: ['FROMNOW(DATE_ADD(NOW(), 36, "hour"), "day")', 1],
  },
  {
    name: 'TONOW',
    values: ['date', 'unit', '[exact]'],
    help: 'The same as FROMNOW.',
    example: ['TONOW(DATE_ADD(NOW(), -36, "hour"), "day", TRUE)', 1.5],
  },
  {
    name: 'WORKDAY',
    values: ['date', 'count', '["holidays"]'],
    help: 'So many working days later; Saturdays, Sundays and the listed days do not count.',
    example: ['WORKDAY("2024-01-05", 1, "2024-01-08")', '2024-01-09T00:00:00.000Z'],
  },
  {
    name: 'WORKDAY_DIFF',
    values: ['date', 'other', '["holidays"]'],
    help: 'Working days from one date to the other, both included.',
    example: ['WORKDAY_DIFF("2024-01-05", "2024-01-12")', 6],
  },
  {
    name: 'DATESTR',
    values: ['date'],
    help: 'The date as YYYY-MM-DD.',
    example: ['DATESTR("2024-5-7")', '2024-05-07'],
  },
  {
    name: 'TIMESTR',
    values: ['date'],
    help: 'The time as HH:mm:ss.',
    example: ['TIMESTR("2024-05-17 14:30")', '14:30:00'],
  },
  {
    name: 'DATETIME_FORMAT',
    values: ['date', '[format = "YYYY-MM-DD HH:mm"]'],
    help: 'The date as text. Tokens: YYYY YY MMMM MMM MM M DD D dddd ddd dd d HH H hh h mm m ss s SSS A a Z ZZ; [text] stays as it is.',
    example: ['DATETIME_FORMAT("2024-05-17", "D MMMM YYYY")', '17 May 2024'],
  },
  {
    name: 'DATETIME_PARSE',
    values: ['text', '[format]'],
    help: 'The date that a text stands for, written in the format with the tokens of DATETIME_FORMAT.',
    example: ['DATETIME_PARSE("17.5.2024", "D.M.YYYY")', '2024-05-17T00:00:00.000Z'],
  },
];

const list: Omit<FunctionHelp, 'group'>[] = [
  {
    name: 'COUNTALL',
    values: ['list'],
    help: 'How many items the list has.',
    example: ['COUNTALL(TEXTSPLIT("a,b,c", ","))', 3],
  },
  {
    name: 'COUNTA',
    values: ['value', '…'],
    help: 'How many values are not empty.',
    example: ['COUNTA("a", "", 5)', 2],
  },
  {
    name: 'COUNT',
    values: ['value', '…'],
    help: 'How many values are numbers or dates.',
    example: ['COUNT("a", 5)', 1],
  },
  {
    name: 'ARRAY_JOIN',
    values: ['list', '[separator = ", "]'],
    help: 'The items as one text.',
    example: ['ARRAY_JOIN(TEXTSPLIT("a,b", ","), " + ")', 'a + b'],
  },
  { name: 'ARRAY_UNIQUE', values: ['list', '…'], help: 'Every item once.', example: ['ARRAY_UNIQUE(1, 2, 1)', [1, 2]] },
  {
    name: 'ARRAY_FLATTEN',
    values: ['list', '…'],
    help: 'All items as one list.',
    example: ['ARRAY_FLATTEN(TEXTSPLIT("a,b", ","), "c")', ['a', 'b', 'c']],
  },
  {
    name: 'ARRAY_COMPACT',
    values: ['list', '…'],
    help: 'The items that are not empty.',
    example: ['ARRAY_COMPACT("a", "", "b")', ['a', 'b']],
  },
  {
    name: 'TEXT_ALL',
    values: ['value'],
    help: 'Every item as text.',
    example: ['TEXT_ALL(ARRAY_FLATTEN(1, 2))', ['1', '2']],
  },
];

const record: Omit<FunctionHelp, 'group'>[] = [
  { name: 'RECORD_ID', values: [], help: 'The id of the record.', example: ['LEFT(RECORD_ID(), 3)', 'rec'] },
  {
    name: 'AUTO_NUMBER',
    values: [],
    help: 'The number of the record in its table.',
    example: ['AUTO_NUMBER() > 0', true],
  },
  { name: 'CREATED_TIME', values: [], help: 'When the record was created.', example: ['CREATED_TIME() < NOW()', true] },
  {
    name: 'LAST_MODIFIED_TIME',
    values: [],
    help: 'When the record was last changed; empty until then. For some fields only, name a field of type lastModifiedTime that looks at those.',
    example: ['LAST_MODIFIED_TIME() > NOW()', false],
  },
];

export const functionHelp: readonly FunctionHelp[] = (
  [
    ['Number', number],
    ['Text', text],
    ['Logic', logic],
    ['Date', date],
    ['List', list],
    ['Record', record],
  ] as const
).flatMap(([group, functions]) => functions.map((help) => ({ group, ...help })));
