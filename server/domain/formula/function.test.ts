// A table of cases for every function and operator, evaluated by PostgreSQL.
import { functionHelp } from '@rowhouse/contract/formula.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkFormula, createRecordTable, evaluate, insertRecord, type Setting, statementOf } from '../../../test/support/formula.ts';
import { createDatabase } from '../../../test/support/world.ts';
import { findFunction, functionNames } from './functions.ts';

let client: pg.Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await createRecordTable(client);
  await insertRecord(client, 1, {
    number: 6, number2: 4, text: 'Hello', text2: '12.5', boolean: true, date: '2024-01-31T10:20:30.456Z', date2: '2024-03-01T00:00:00Z',
    numbers: [3, 1, 2], numbers2: [5], texts: ['x', 'y', 'x'], texts2: ['8'], booleans: [true, false], dates: ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z'], dates2: ['2024-01-01T00:00:00.000Z'],
  });
  // The second record is empty.
  await insertRecord(client, 2, {});
});

afterAll(async () => {
  await client.end();
  await drop();
});

type Case = [formula: string, value: unknown, setting?: Setting];

const cases: Record<string, Case[]> = {
  SUM: [['SUM(1, 2, 3.5)', 6.5], ['SUM({number}, {number2})', 10], ['SUM({numbers})', 6], ['SUM({numbers}, 10, BLANK())', 16], ['SUM("3", TRUE, 2)', 6], ['SUM({text})', 0], ['SUM(1e308, 1e308)', null], ['SUM({texts2}, 1)', 9]],
  AVERAGE: [['AVERAGE(1, 2)', 1.5], ['AVERAGE(1, BLANK(), 2)', 1], ['AVERAGE({numbers})', 2], ['AVERAGE({numbers}, {numbers2})', 2.75]],
  MAX: [['MAX(1, 3, 2)', 3], ['MAX({numbers}, 2)', 3], ['MAX(BLANK(), -1)', -1], ['MAX({date}, {date2})', '2024-03-01T00:00:00.000Z'], ['MAX({dates})', '2024-02-01T00:00:00.000Z'], ['MAX("x")', null], ['MAX("3", 2)', 3]],
  MIN: [['MIN(1, 3, 2)', 1], ['MIN({numbers})', 1], ['MIN({date}, {date2})', '2024-01-31T10:20:30.456Z'], ['MIN({dates}, {date})', '2024-01-01T00:00:00.000Z']],
  ROUND: [
    ['ROUND(2.5)', 3], ['ROUND(-2.5)', -2], ['ROUND(1.005, 2)', 1.01], ['ROUND(15, -1)', 20], ['ROUND(1234.5678, 2)', 1234.57], ['ROUND("abc")', null], ['ROUND(BLANK())', null], ['ROUND(1e300, 2)', 1e300], ['ROUND(1.7976931348623157e308, 1)', 1.7976931348623157e308],
    ['ROUND(123456789012345680, 1)', 123456789012345680], ['ROUND(0.1 + 0.2, 10)', 0.3], ['ROUND({number} / {number2}, 1)', 1.5], ['ROUND(5, 1e308)', 5], ['ROUND(5, -1e308)', 0], ['ROUND(-0.4)', 0],
  ],
  ROUNDUP: [['ROUNDUP(2.1)', 3], ['ROUNDUP(-2.1)', -3], ['ROUNDUP(1.231, 2)', 1.24], ['ROUNDUP(2)', 2]],
  ROUNDDOWN: [['ROUNDDOWN(2.9)', 2], ['ROUNDDOWN(-2.9)', -2], ['ROUNDDOWN(1.239, 2)', 1.23], ['ROUNDDOWN(1299, -2)', 1200]],
  CEILING: [['CEILING(2.1)', 3], ['CEILING(-2.15, 1)', -2.1], ['CEILING(1.1, 1)', 1.1]],
  FLOOR: [['FLOOR(2.9)', 2], ['FLOOR(-2.15, 1)', -2.2], ['FLOOR(1.1, 1)', 1.1]],
  EVEN: [['EVEN(1)', 2], ['EVEN(-1)', -2], ['EVEN(0.1)', 2], ['EVEN(2)', 2], ['EVEN(0)', 0]],
  ODD: [['ODD(0)', 1], ['ODD(1)', 1], ['ODD(1.5)', 3], ['ODD(-2)', -3]],
  INT: [['INT(1.9)', 1], ['INT(-1.5)', -2]],
  ABS: [['ABS(-3)', 3], ['ABS({text2})', 12.5], ['ABS("x")', null]],
  SQRT: [['SQRT(9)', 3], ['SQRT(-1)', null], ['IS_ERROR(SQRT(-1))', true], ['IS_ERROR(SQRT(BLANK()))', false], ['SQRT(BLANK()) + 1', 1], ['SQRT(-1) + 1', null]],
  EXP: [['EXP(0)', 1], ['EXP(1000)', null], ['EXP(-1000)', 0], ['IS_ERROR(EXP(1000))', true], ['IS_ERROR(EXP(1))', false]],
  POWER: [['POWER(2, 3)', 8], ['POWER(2, 0)', 1], ['POWER(-8, 1/3)', null], ['POWER(0, -1)', null], ['POWER(10, 400)', null], ['POWER(10, -400)', 0], ['POWER(-2, 3)', -8], ['POWER(BLANK(), 2)', null]],
  LOG: [['LOG(1000)', 3], ['LOG(8, 2)', 3], ['LOG(0)', null], ['LOG(-1)', null], ['LOG(5, 1)', null], ['LOG(1e300)', 300]],
  MOD: [['MOD(7, 3)', 1], ['MOD(-7, 3)', 2], ['MOD(7, -3)', -2], ['MOD(5.5, 2)', 1.5], ['MOD(5, 0)', null], ['MOD(0.3, 0.1)', 0], ['MOD(1e308, 1e-308)', 0]],
  VALUE: [['VALUE("1,234.50 EUR")', 1234.5], ['VALUE("-5")', -5], ['VALUE("12%")', 12], ['VALUE("1e3")', 1000], ['VALUE("abc")', null], ['VALUE("")', null], ['VALUE("1-2")', null], ['IS_ERROR(VALUE("abc"))', true], ['VALUE("1e999")', null], ['VALUE({number})', 6]],

  CONCATENATE: [['CONCATENATE("a", 1, TRUE, BLANK())', 'a1true'], ['CONCATENATE({texts}, "!")', 'x, y, x!'], ['CONCATENATE({date}, "")', '31.01.2024'], ['CONCATENATE({numbers})', '3, 1, 2'], ['CONCATENATE("")', null]],
  FIND: [['FIND("l", {text})', 3], ['FIND("l", {text}, 4)', 4], ['FIND("x", {text})', 0], ['FIND("h", {text})', 0], ['FIND("l", "lol", 2)', 3], ['FIND("a", BLANK())', null], ['FIND("H", {text}, -5)', 1], ['FIND("H", {text}, 1e300)', 0]],
  SEARCH: [['SEARCH("h", {text})', 1], ['SEARCH("x", {text})', null], ['SEARCH("L", {text}, 4)', 4], ['SEARCH("ö", "KÖLN")', 2]],
  MID: [['MID("abcdef", 2, 3)', 'bcd'], ['MID("abc", 1, 1)', 'a'], ['MID("abc", 5, 1)', null], ['MID("abc", 2, 1e300)', 'bc'], ['MID("abc", -1e300, 2)', null], ['MID("äöü", 2, 1)', 'ö'], ['MID("a😀b", 2, 1)', '😀']],
  LEFT: [['LEFT("abc", 2)', 'ab'], ['LEFT("abc")', 'a'], ['LEFT("abc", -1)', null], ['LEFT("abc", 1e300)', 'abc'], ['LEFT(1234, 2)', '12']],
  RIGHT: [['RIGHT("abc", 2)', 'bc'], ['RIGHT("abc")', 'c'], ['RIGHT("abc", -1)', null]],
  REPLACE: [['REPLACE("abcdef", 2, 3, "X")', 'aXef'], ['REPLACE("abc", 10, 1, "X")', 'abcX'], ['REPLACE("abc", 0, 1, "X")', 'Xbc'], ['REPLACE("abc", 2, 1, BLANK())', 'ac'], ['REPLACE("abc", 1, 1e300, "z")', 'z']],
  REGEXP_REPLACE: [
    ['REGEXP_REPLACE("a1b22", "[0-9]+", "#")', 'a#b#'], ['REGEXP_REPLACE("john smith", "(\\\\w+) (\\\\w+)", "$2, $1")', 'smith, john'], ['REGEXP_REPLACE("aB", "(?=B)", "-")', 'a-B'], ['REGEXP_REPLACE("one two", "\\\\bt", "T")', 'one Two'],
    ['REGEXP_REPLACE("a.b", "\\\\.", "\\\\")', 'a\\b'], ['REGEXP_REPLACE("5", "5", "$$")', '$'], ['REGEXP_REPLACE("ab", "b", "[$&]")', 'a[b]'], ['REGEXP_REPLACE("a\\nb", ".", "x")', 'x\nx'], ['REGEXP_REPLACE({text}, "l+", {text2})', 'He12.5o'],
    ['REGEXP_REPLACE(REPT("a", 100000), "a", REPT("b", 1000))', null], ['REGEXP_REPLACE("abc", "[^\\\\]]", "x")', 'xxx'], ['REGEXP_REPLACE("a-b", "[a\\\\-]", "")', 'b'],
  ],
  SUBSTITUTE: [
    ['SUBSTITUTE("aaa", "a", "b")', 'bbb'], ['SUBSTITUTE("aaa", "a", "b", 2)', 'aba'], ['SUBSTITUTE("aaa", "a", "b", 1)', 'baa'], ['SUBSTITUTE("aaa", "a", "b", 9)', 'aaa'], ['SUBSTITUTE("abc", "", "x")', 'abc'], ['SUBSTITUTE("aaa", "a", BLANK())', null],
    ['LEN(SUBSTITUTE(REPT("a", 100000), "a", REPT("b", 100000)))', 100000], ['SUBSTITUTE("a.a", ".", "something longer than ten")', 'asomething longer than tena'], ['SUBSTITUTE("a-b-c", "-", {text2}, 2)', 'a-b12.5c'], ['SUBSTITUTE("x,y", ",", REPT("-", 20))', `x${'-'.repeat(20)}y`],
  ],
  LOWER: [['LOWER("ÄB")', 'äb'], ['LOWER({texts})', 'x, y, x']],
  UPPER: [['UPPER("äb")', 'ÄB'], ['UPPER({texts})', 'X, Y, X'], ['UPPER(BLANK())', null]],
  TRIM: [['TRIM("  a b\\t\\n")', 'a b']],
  LEN: [['LEN("abc")', 3], ['LEN({texts})', 7], ['LEN("😀")', 1], ['LEN(BLANK())', null], ['LEN(12.5)', 4]],
  REPT: [['REPT("ab", 3)', 'ababab'], ['REPT("ab", 0)', null], ['REPT("a", -1)', null], ['LEN(REPT("ab", 1e300))', 100000], ['LEN(REPT(REPT("ab", 90000), 90000))', 100000]],
  T: [['T("a")', 'a'], ['T(5)', '5'], ['T({texts})', 'x, y, x'], ['T(BLANK())', null]],
  ENCODE_URL_COMPONENT: [['ENCODE_URL_COMPONENT("ä b/c?d=é&f")', '%C3%A4%20b%2Fc%3Fd%3D%C3%A9%26f'], ["ENCODE_URL_COMPONENT(\"aZ09-_.!~*'()\")", "aZ09-_.!~*'()"]],
  TEXTBEFORE: [
    ['TEXTBEFORE("a-b-c", "-")', 'a'], ['TEXTBEFORE("a-b-c", "-", 2)', 'a-b'], ['TEXTBEFORE("a-b-c", "-", -1)', 'a-b'], ['TEXTBEFORE("a-b-c", "-", 3)', null], ['TEXTBEFORE("a-b", "x", 1, 0, 0, "none")', 'none'],
    ['TEXTBEFORE("aXb", "x", 1, 1)', 'a'], ['TEXTBEFORE("aXb", "x")', null], ['TEXTBEFORE("ab", "x", 1, 0, 1)', 'ab'], ['TEXTBEFORE("ab", "b", 1e300)', null],
  ],
  TEXTSPLIT: [['TEXTSPLIT("a,b,,c", ",")', ['a', 'b', '', 'c']], ['TEXTSPLIT("a,b,,c", ",", TRUE)', ['a', 'b', 'c']], ['TEXTSPLIT("aXbxc", "x", FALSE, TRUE)', ['a', 'b', 'c']], ['TEXTSPLIT("abc", "")', ['abc']], ['COUNTALL(TEXTSPLIT(REPT("a,", 50000), ","))', 10000], ['TEXTSPLIT(BLANK(), ",")', null]],

  IF: [
    ['IF({number} > 5, "big", "small")', 'big'], ['IF(0, 1, 2)', 2], ['IF("", 1, 2)', 2], ['IF("0", 1, 2)', 1], ['IF(BLANK(), 1, 2)', 2], ['IF({texts}, 1, 2)', 1], ['IF({date}, 1, 2)', 1], ['IF({boolean}, 1, BLANK())', 1], ['IF({boolean2}, 1, BLANK())', null],
    ['IF(TRUE, 1, "a")', '1'], ['IF(TRUE, {numbers}, {numbers2})', [3, 1, 2]], ['IF(TRUE, {numbers}, 1)', null], ['IF(TRUE, {texts}, "a")', 'x, y, x'], ['IF(FALSE, 1/0, 5) + 1', 6],
  ],
  SWITCH: [['SWITCH({number}, 5, "five", 6, "six")', 'six'], ['SWITCH({number}, 1, "one", "many")', 'many'], ['SWITCH({number}, 1, "one")', null], ['SWITCH({text}, "Hello", 1, "Bye", 2, 0)', 1], ['SWITCH({number}, "6", "text six", "no")', 'text six'], ['SWITCH(BLANK(), "", "empty", "filled")', 'empty']],
  AND: [['AND(1, "a", TRUE)', true], ['AND(1, 0)', false], ['AND({booleans})', false], ['AND({texts})', true], ['AND(TRUE, BLANK())', false]],
  OR: [['OR(0, "", BLANK())', false], ['OR(0, 1)', true], ['OR({booleans})', true], ['OR({numbers2}, FALSE)', true]],
  XOR: [['XOR(TRUE, TRUE, TRUE)', true], ['XOR(TRUE, TRUE)', false], ['XOR({booleans})', true], ['XOR({texts})', true]],
  NOT: [['NOT("")', true], ['NOT(1)', false], ['NOT({boolean2})', true], ['NOT({texts})', false]],
  BLANK: [['BLANK()', null], ['BLANK() & "x"', 'x'], ['BLANK() + 1', 1], ['BLANK() = ""', true], ['BLANK() = 0', false]],
  ERROR: [['ERROR("x")', null], ['ERROR("x") & "a"', null], ['1 + ERROR()', null], ['IF(TRUE, 1, ERROR("no"))', 1], ['IF({number} > 5, ERROR("too big"), 1) + 1', null], ['IS_ERROR(ERROR("x")) & "!"', 'true!'], ['SWITCH(1, 1, "a", 2, ERROR())', 'a']],
  IS_ERROR: [
    ['IS_ERROR(1/0)', true], ['IS_ERROR(1)', false], ['IS_ERROR("abc" * 2)', true], ['IS_ERROR("5" * 2)', false], ['IS_ERROR(1e308 * 10)', true], ['IS_ERROR({number} / {number2})', false], ['IS_ERROR(IF({boolean}, 1, 1/0))', false], ['IS_ERROR(IF({boolean}, 1/0, 1))', true],
    ['IS_ERROR({numbers} + 1 - 1)', true], ['IS_ERROR({numbers} * 1)', true], ['IS_ERROR({numbers2} * 1)', false], ['IS_ERROR(YEAR("x"))', true], ['IS_ERROR(YEAR("2024-01-01"))', false], ['IS_ERROR(BLANK())', false], ['IS_ERROR(SWITCH(1, 1, 1/0, 2))', true], ['IS_ERROR(IS_ERROR(1/0))', false],
    ['IS_ERROR({date} * 1)', true], ['IS_ERROR(SUM(1e308, 1e308))', true], ['IS_ERROR(5 % 0)', true], ['IS_ERROR(DATE_ADD("2024-01-01", 1e9, "year"))', true], ['IS_ERROR(LEN(1/0))', true],
  ],

  TODAY: [['TODAY()', '2024-05-15T00:00:00.000Z'], ['TODAY()', '2024-05-14T22:00:00.000Z', { timeZone: 'Europe/Berlin' }], ['TODAY()', '2024-05-15T22:00:00.000Z', { timeZone: 'Europe/Berlin', now: '2024-05-15T23:00:00Z' }]],
  NOW: [['NOW()', '2024-05-15T12:00:00.000Z'], ['YEAR(NOW())', 2024]],
  YEAR: [['YEAR({date})', 2024], ['YEAR("2023-12-31T23:30:00Z")', 2023], ['YEAR("2023-12-31T23:30:00Z")', 2024, { timeZone: 'Europe/Berlin' }], ['YEAR("x")', null], ['YEAR(5)', null], ['YEAR({dates2})', 2024], ['YEAR({dates})', null]],
  MONTH: [['MONTH({date})', 1], ['MONTH("2024-12-01")', 12]],
  DAY: [['DAY({date})', 31], ['DAY("2024-02-30")', null]],
  HOUR: [['HOUR({date})', 10], ['HOUR({date})', 11, { timeZone: 'Europe/Berlin' }], ['HOUR({date})', 5, { timeZone: 'America/New_York' }]],
  MINUTE: [['MINUTE({date})', 20]],
  SECOND: [['SECOND({date})', 30]],
  WEEKNUM: [['WEEKNUM("2024-01-01")', 1], ['WEEKNUM("2024-01-07")', 2], ['WEEKNUM("2024-12-29")', 1], ['WEEKNUM("2022-12-31")', 53], ['WEEKNUM("2023-01-01")', 1]],
  WEEKDAY: [['WEEKDAY("2024-01-07")', 0], ['WEEKDAY("2024-01-06")', 6], ['WEEKDAY("2024-01-07", "monday")', 6], ['WEEKDAY("2024-01-08", "Monday")', 0], ['WEEKDAY("2024-01-07", {text})', 0]],
  DATETIME_DIFF: [
    ['DATETIME_DIFF("2024-01-03", "2024-01-01")', 2], ['DATETIME_DIFF("2024-01-01", "2024-01-03", "days")', -2], ['DATETIME_DIFF("2024-01-01T12:00:00Z", "2024-01-01", "day")', 0.5], ['DATETIME_DIFF("2024-01-01T01:30:00Z", "2024-01-01", "hours")', 1.5],
    ['DATETIME_DIFF("2024-03-01", "2024-01-31", "month")', 1.032258064516129], ['DATETIME_DIFF("2024-01-31", "2024-03-01", "month")', -1.032258064516129], ['DATETIME_DIFF("2025-01-01", "2024-01-01", "year")', 1], ['DATETIME_DIFF("2024-07-01", "2024-01-01", "quarter")', 2],
    ['DATETIME_DIFF("2024-01-15", "2024-01-01", "w")', 2], ['DATETIME_DIFF("2024-01-01T00:00:01Z", "2024-01-01", "ms")', 1000], ['DATETIME_DIFF("2024-01-01T00:01:00Z", "2024-01-01", "s")', 60], ['DATETIME_DIFF("2024-01-01T00:01:00Z", "2024-01-01", "min")', 1],
    ['DATETIME_DIFF("2024-04-01", "2024-03-31", "day")', 1, { timeZone: 'Europe/Berlin' }], ['DATETIME_DIFF("2024-04-01", "2024-03-31", "hour")', 23, { timeZone: 'Europe/Berlin' }], ['DATETIME_DIFF({date}, BLANK())', null], ['DATETIME_DIFF("2024-01-03", "2024-01-01", {text})', null],
    ['DATETIME_DIFF("2024-01-03", "2024-01-01", IF({number}, "day", "x"), TRUE)', 2], ['DATETIME_DIFF("2024-03-15", "2024-01-15", IF({number}, "month", "x"))', 2],
  ],
  DATE_ADD: [
    ['DATE_ADD("2024-01-31", 1, "month")', '2024-02-29T00:00:00.000Z'], ['DATE_ADD("2024-01-31", 1.5, "day")', '2024-02-02T00:00:00.000Z'], ['DATE_ADD("2024-01-01", -1, "days")', '2023-12-31T00:00:00.000Z'], ['DATE_ADD("2024-01-01", 2, "w")', '2024-01-15T00:00:00.000Z'],
    ['DATE_ADD("2024-01-01", 1.5, "hour")', '2024-01-01T01:30:00.000Z'], ['DATE_ADD("2024-01-01", 1, "quarter")', '2024-04-01T00:00:00.000Z'], ['DATE_ADD("2024-02-29", 1, "year")', '2025-02-28T00:00:00.000Z'], ['DATE_ADD("2024-01-01", 5, "m")', '2024-01-01T00:05:00.000Z'],
    ['DATE_ADD("2024-01-01", 5, "M")', '2024-06-01T00:00:00.000Z'], ['DATE_ADD("2024-01-01", 250, "ms")', '2024-01-01T00:00:00.250Z'], ['DATE_ADD("2024-01-01", 5, "secs")', '2024-01-01T00:00:05.000Z'], ['DATE_ADD("2024-03-30T12:00:00Z", 1, "day")', '2024-03-31T11:00:00.000Z', { timeZone: 'Europe/Berlin' }],
    ['DATE_ADD("2024-03-30T12:00:00Z", 24, "hour")', '2024-03-31T12:00:00.000Z', { timeZone: 'Europe/Berlin' }], ['DATE_ADD("9999-12-31", 1, "day")', null], ['DATE_ADD("2024-01-01", 1e300, "day")', null], ['DATE_ADD("2024-01-01", BLANK(), "day")', '2024-01-01T00:00:00.000Z'], ['DATE_ADD("2024-01-01", 1, {text})', null],
    ['DATE_ADD("2024-01-01", 1, IF({number}, "Days", ""))', '2024-01-02T00:00:00.000Z'], ['DATE_ADD({date}, {number}, "day")', '2024-02-06T10:20:30.456Z'],
  ],
  IS_SAME: [['IS_SAME("2024-01-01T10:00:00Z", "2024-01-01T20:00:00Z")', true], ['IS_SAME("2024-01-06", "2024-01-07", "week")', false], ['IS_SAME("2024-01-07", "2024-01-13", "week")', true], ['IS_SAME("2024-01-01", "2024-02-01", "month")', false], ['IS_SAME("2024-01-01", "2024-02-01", "year")', true], ['IS_SAME({date}, BLANK())', null], ['IS_SAME("2024-01-07", "2024-01-13", IF(1, "week", ""))', true], ['IS_SAME("2024-01-07", "2024-01-13", {text})', null]],
  IS_AFTER: [['IS_AFTER("2024-01-02", "2024-01-01")', true], ['IS_AFTER("2024-01-02", "2024-01-01", "month")', false], ['IS_AFTER("2024-01-01T10:00:00Z", "2024-01-01", "hour")', true]],
  IS_BEFORE: [['IS_BEFORE("2024-01-01", "2024-01-02")', true], ['IS_BEFORE("2024-01-01", "2024-01-01")', false]],
  FROMNOW: [['FROMNOW("2024-05-13", "day")', 2], ['FROMNOW("2024-05-13", "day", TRUE)', 2.5], ['FROMNOW("2024-05-17T12:00:00Z", "hour")', 48]],
  TONOW: [['TONOW("2024-05-17T12:00:00Z", "day")', 2], ['TONOW("2024-05-14", "hours")', 36], ['TONOW("2023-05-15T12:00:00Z", "year")', 1]],
  WORKDAY: [
    ['WORKDAY("2024-01-05", 1)', '2024-01-08T00:00:00.000Z'], ['WORKDAY("2024-01-06", 1)', '2024-01-08T00:00:00.000Z'], ['WORKDAY("2024-01-08", -1)', '2024-01-05T00:00:00.000Z'], ['WORKDAY("2024-01-05", 10)', '2024-01-19T00:00:00.000Z'], ['WORKDAY("2024-01-05", 1, "2024-01-08")', '2024-01-09T00:00:00.000Z'],
    ['WORKDAY("2024-01-05", 10, "2024-01-08, 2024-01-15, 2024-01-20, not a date, 2024-99-99")', '2024-01-23T00:00:00.000Z'], ['WORKDAY("2024-01-12", -5, "2024-01-08")', '2024-01-04T00:00:00.000Z'], ['WORKDAY("2024-01-05T15:00:00Z", 0)', '2024-01-05T15:00:00.000Z'], ['WORKDAY("2024-01-01", 1e300)', null],
    ['WORKDAY("2024-01-07", -1)', '2024-01-05T00:00:00.000Z'], ['WORKDAY("2024-01-05", 1000000)', '5857-01-30T00:00:00.000Z'],
  ],
  WORKDAY_DIFF: [['WORKDAY_DIFF("2024-01-05", "2024-01-12")', 6], ['WORKDAY_DIFF("2024-01-12", "2024-01-05")', -6], ['WORKDAY_DIFF("2024-01-06", "2024-01-07")', 0], ['WORKDAY_DIFF("2024-01-01", "2024-01-05", "2024-01-02, 2024-01-02, 2024-01-06")', 4], ['WORKDAY_DIFF("0001-01-01", "9999-12-31")', 2608615]],
  DATESTR: [['DATESTR({date})', '2024-01-31'], ['DATESTR("2024-1-5")', '2024-01-05'], ['DATESTR("2024-01-31T23:30:00Z")', '2024-02-01', { timeZone: 'Europe/Berlin' }]],
  TIMESTR: [['TIMESTR({date})', '10:20:30']],
  DATETIME_FORMAT: [
    ['DATETIME_FORMAT({date})', '2024-01-31 10:20'], ['DATETIME_FORMAT({date}, "DD/MM/YY hh:mm A")', '31/01/24 10:20 AM'], ['DATETIME_FORMAT({date}, "dddd, D MMMM YYYY [at] H:m:s.SSS")', 'Wednesday, 31 January 2024 at 10:20:30.456'], ['DATETIME_FORMAT({date}, "ddd MMM M d dd Z ZZ a")', 'Wed Jan 1 3 We +00:00 +0000 am'],
    ['DATETIME_FORMAT({date}, "Z HH")', '+05:30 15', { timeZone: 'Asia/Kolkata' }], ['DATETIME_FORMAT({date}, "Z")', '-05:00', { timeZone: 'America/New_York' }], ['DATETIME_FORMAT("x", "YYYY")', null], ['DATETIME_FORMAT({date}, IF(1, "ddd D MMM YYYY [YYYY] \\"q\\" h a", ""))', 'Wed 31 Jan 2024 YYYY "q" 10 am'], ['DATETIME_FORMAT({date}, "[YYYY] \\"q\\" \\\\ Q")', 'YYYY "q" \\ Q'],
  ],
  DATETIME_PARSE: [
    ['DATETIME_PARSE("2024-01-31T10:20:30Z")', '2024-01-31T10:20:30.000Z'], ['DATETIME_PARSE("2024-01-31 10:20", "YYYY-MM-DD HH:mm")', '2024-01-31T09:20:00.000Z', { timeZone: 'Europe/Berlin' }], ['DATETIME_PARSE("8 May 2024", "D MMMM YYYY")', '2024-05-08T00:00:00.000Z'], ['DATETIME_PARSE("05/08/24 03:04 pm", "MM/DD/YY hh:mm a")', '2024-05-08T15:04:00.000Z'],
    ['DATETIME_PARSE("12:30 AM 1.2.2024", "h:mm A D.M.YYYY")', '2024-02-01T00:30:00.000Z'], ['DATETIME_PARSE("2024-02-30")', null], ['DATETIME_PARSE("x")', null], ['DATETIME_PARSE("Jan 5, 2024")', '2024-01-05T00:00:00.000Z'], ['DATETIME_PARSE("2024-01-31T10:20:30+02:00")', '2024-01-31T08:20:30.000Z'], ['DATETIME_PARSE("tomorrow 10:00")', null], ['DATETIME_PARSE("now")', null],
    ['DATETIME_PARSE("2024-01-31 +0530", "YYYY-MM-DD ZZ")', '2024-01-30T18:30:00.000Z'], ['DATETIME_PARSE("31|01|2024 (x)", "DD|MM|YYYY (x)")', '2024-01-31T00:00:00.000Z'], ['DATETIME_PARSE("x 2024", "[x] YYYY")', '2024-01-01T00:00:00.000Z'], ['DATETIME_PARSE("2024-01-31 25:00")', null], ['DATETIME_PARSE({date})', '2024-01-31T10:20:30.456Z'], ['DATETIME_PARSE("10:00", "HH:mm")', null],
    ['DATETIME_PARSE("2024")', '2024-01-01T00:00:00.000Z'], ['DATETIME_PARSE("2024-03-31 02:30")', '2024-03-31T01:30:00.000Z', { timeZone: 'Europe/Berlin' }],
  ],
  CREATED_TIME: [['CREATED_TIME()', '2024-01-02T03:04:05.678Z']],
  LAST_MODIFIED_TIME: [['LAST_MODIFIED_TIME()', '2024-02-03T04:05:06.789Z']],

  COUNTALL: [['COUNTALL({numbers})', 3], ['COUNTALL("a")', 1], ['COUNTALL(BLANK())', 0], ['COUNTALL({text})', 1]],
  COUNTA: [['COUNTA("", 1, "a", BLANK())', 2], ['COUNTA({texts}, {number})', 4]],
  COUNT: [['COUNT("a", 1, {date})', 2], ['COUNT({numbers}, {texts})', 3], ['COUNT("a")', 0]],
  ARRAY_JOIN: [['ARRAY_JOIN({texts})', 'x, y, x'], ['ARRAY_JOIN({numbers}, "-")', '3-1-2'], ['ARRAY_JOIN("a")', 'a'], ['ARRAYJOIN({texts}, "")', 'xyx'], ['ARRAY_JOIN({booleans})', 'true, false'], ['LEN(ARRAY_JOIN(TEXTSPLIT(REPT("a,", 9000), ","), REPT("-", 100)))', 100000], ['LEN(ARRAY_JOIN(TEXTSPLIT(REPT("a,", 9000), ","), REPT("-", 99999)))', 100000], ['LEFT(ARRAY_JOIN({texts}, REPT("-", 99999)), 3)', 'x--']],
  ARRAY_UNIQUE: [['ARRAY_UNIQUE({texts})', ['x', 'y']], ['ARRAY_UNIQUE(1, 2, 1)', [1, 2]], ['ARRAY_UNIQUE({numbers}, "a")', ['3', '1', '2', 'a']], ['ARRAYUNIQUE({dates}, {dates2})', ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z']]],
  ARRAY_FLATTEN: [['ARRAY_FLATTEN({numbers}, 7, BLANK())', [3, 1, 2, 7]], ['ARRAYFLATTEN({texts})', ['x', 'y', 'x']], ['ARRAY_FLATTEN(BLANK())', null]],
  ARRAY_COMPACT: [['ARRAY_COMPACT("", "a", BLANK())', ['a']], ['ARRAYCOMPACT({texts})', ['x', 'y', 'x']], ['ARRAY_COMPACT("")', null]],
  TEXT_ALL: [['TEXT_ALL({numbers})', ['3', '1', '2']], ['TEXT_ALL(5)', '5']],
  RECORD_ID: [['RECORD_ID()', 'rec1']],
  AUTO_NUMBER: [['AUTO_NUMBER()', 7], ['AUTO_NUMBER() + 1', 8]],

  '+': [['1 + 2', 3], ['"a" + 1', 'a1'], ['{text} + " " + {text2}', 'Hello 12.5'], ['{text2} + 1', '12.51'], ['1 + TRUE', 2], ['{number} + BLANK()', 6], ['1e308 + 1e308', null], ['{text} + BLANK()', 'Hello'], ['0.1 + 0.2', 0.30000000000000004], ['{numbers2} + 1', 6], ['{numbers} + 1', null]],
  '-': [['5 - 2', 3], ['"5" - 2', 3], ['"abc" - 2', null], ['-{number}', -6], ['-"4"', -4], ['0 - 1e308 - 1e308', null], ['2024-01-31', 1992], ['- -3', 3], ['-0', 0]],
  '*': [['2 * 3', 6], ['1e200 * 1e200', null], ['1e-200 * 1e-200', 0], ['{number} * {number2}', 24], ['{text} * 1', null], ['{numbers2} * 2', 10], ['{numbers} * 2', null], ['{texts2} * 2', 16], ['{date} * 2', null], ['(1e200 * {number}) * 1e200', null], ['{number} * 0 * -1', 0]],
  '/': [['6 / 4', 1.5], ['1 / 0', null], ['1 / BLANK()', null], ['{number} / {number2}', 1.5], ['(1 / 0) + 5', null], ['1e-308 / 1e308', 0], ['1e308 / 1e-308', null], ['1 / 3', 1 / 3]],
  '%': [['7 % 3', 1], ['-7 % 3', -1], ['7 % 0', null], ['5.5 % 2', 1.5], ['BLANK() % 3', 0], ['1e308 % 7', Number(10n ** 308n % 7n)]],
  '&': [['"a" & 1 & TRUE', 'a1true'], ['{date} & ""', '31.01.2024'], ['DATE_ADD({date}, 1, "day") & ""', '2024-02-01T10:20:30.456Z'], ['{texts} & "!"', 'x, y, x!'], ['1e21 & ""', '1e+21'], ['1e20 & ""', '100000000000000000000'], ['1e-7 & ""', '1e-7'], ['0.00001 & ""', '0.00001'], ['123456789012345680 & ""', '123456789012345680'], ['-0 & ""', '0'], ['0.1 & ""', '0.1'], ['"a" & "b" = "ab"', 'afalse']],
  '=': [
    ['1 = 1', true], ['2 = "2"', true], ['"a" = 1', false], ['{text} = "Hello"', true], ['{boolean2} = FALSE', true], ['{boolean} = TRUE', true], ['{text} = BLANK()', false], ['{date} = "2024-01-31T10:20:30.456Z"', true], ['{date} = "x"', false], ['{texts} = "x, y, x"', true], ['{texts2} = "8"', true], ['{numbers2} = 5', true],
    ['1 != 2', true], ['{number} != 6', false], ['1 = TRUE', true], ['{texts} = BLANK()', false], ['"a" = "A"', false], ['{date} = {date}', true], ['{number} = {date}', false], ['1 < 2 = TRUE', true],
  ],
  '<': [['1 < 2', true], ['"10" < 9', false], ['"10" < "9"', true], ['2 <= 2', true], ['3 >= 4', false], ['{date} < {date2}', true], ['{date} > "2024-01-01"', true], ['BLANK() < 5', false], ['"a" < "B"', false], ['{text} > 1', false], ['TRUE > FALSE', true]],
  '&&': [['1 && "a"', true], ['1 && 0', false], ['0 || ""', false], ['0 || 2', true], ['1 || 0 && 0', true], ['{boolean} && {text}', true], ['{boolean2} || FALSE', false]],
};

test('every function has its cases', () => {
  expect(functionNames.filter((name) => cases[name] === undefined)).toEqual([]);
});

describe.each(Object.keys(cases))('%s', (name) => {
  test.each(cases[name] as Case[])('%s is %j', async (formula, value, setting) => {
    const [found] = await evaluate(client, formula, setting);
    expect(found).toEqual(value);
  });
});

const ofEmptyCells: [formula: string, value: unknown][] = [
  ['{number} + 1', 1], ['{number} * 2', 0], ['{number} / 2', 0], ['2 / {number}', null], ['-{number}', 0], ['{text} & "a"', 'a'], ['{text} + "a"', 'a'], ['{text} * 2', 0], ['{date} * 2', 0], ['{numbers} * 2', 0], ['{number} = 0', false], ['{number} = BLANK()', true], ['{text} = ""', true], ['{text} = BLANK()', true],
  ['{boolean} = FALSE', true], ['{date} = BLANK()', true], ['{texts} = BLANK()', true], ['{texts} = ""', true], ['{number} < 1', false], ['{number} > -1', false], ['IF({boolean}, 1, 2)', 2], ['IF({text} = "", "empty", "filled")', 'empty'], ['{date} = "x"', false], ['{number} = "x"', false], ['{number} = ""', true],
  ['SUM({number}, {numbers})', 0], ['AVERAGE({numbers})', null], ['AVERAGE({number})', 0], ['MAX({number}, {numbers})', null], ['ROUND({number}, 2)', null], ['ROUND({number}, 2) + 1', 1], ['VALUE({text}) + 1', 1], ['LEN({text})', null], ['UPPER({text})', null], ['YEAR({date})', null], ['YEAR({date}) + 1', 1], ['DATETIME_DIFF({date}, {date2})', null],
  ['DATE_ADD({date}, 1, "day")', null], ['COUNTA({text}, {number})', 0], ['COUNTALL({texts})', 0], ['ARRAY_JOIN({texts})', null], ['ARRAY_UNIQUE({texts})', null], ['CONCATENATE({text}, {number})', null], ['AND({texts})', false], ['OR({booleans})', false], ['NOT({text})', true], ['XOR({texts})', false], ['IS_ERROR({number} + {text})', false], ['IS_ERROR(1 / {number})', true],
  ['SWITCH({text}, "a", 1, 2)', 2], ['SWITCH({number}, 0, "zero", "other")', 'other'], ['WORKDAY({date}, 1)', null], ['{number} % 2', 0], ['REPT({text}, 3)', null], ['IS_SAME({date}, {date2})', null], ['SUBSTITUTE({text}, "a", "b")', null], ['TEXTSPLIT({text}, ",")', null], ['IS_ERROR(ROUND({number}))', false], ['{number}', null], ['{boolean} && TRUE', false], ['DATETIME_FORMAT({date}, "Z")', null], ['REGEXP_REPLACE({text}, "a", "b")', null],
  ['MIN({number})', null], ['ROUNDUP({number})', null], ['ROUNDDOWN({number})', null], ['CEILING({number})', null], ['FLOOR({number})', null], ['EVEN({number})', null], ['ODD({number})', null], ['INT({number})', null], ['ABS({number})', null], ['EXP({number})', null], ['LOG({number})', null], ['MOD({number}, 3)', null], ['SEARCH("a", {text})', null], ['MID({text}, 1, 2)', null], ['LEFT({text}, 2)', null], ['RIGHT({text}, 2)', null], ['LOWER({text})', null], ['TRIM({text})', null], ['ENCODE_URL_COMPONENT({text})', null], ['TEXTBEFORE({text}, "-")', null], ['ERROR({text})', null], ['MONTH({date})', null], ['DAY({date})', null], ['HOUR({date})', null], ['MINUTE({date})', null], ['SECOND({date})', null], ['WEEKNUM({date})', null], ['WEEKDAY({date})', null], ['IS_AFTER({date}, {date2})', null], ['IS_BEFORE({date}, {date2})', null], ['FROMNOW({date}, "day")', null], ['TONOW({date}, "day")', null], ['WORKDAY_DIFF({date}, {date2})', null], ['DATESTR({date})', null], ['TIMESTR({date})', null], ['DATETIME_PARSE({text})', null], ['TEXT_ALL({numbers})', null], ['COUNT({number}, {numbers})', 0],
];

test('every function that takes values has a case with an empty one', () => {
  const withEmpty = [...Object.values(cases).flat().map(([formula]) => formula).filter((formula) => formula.includes('BLANK()')), ...ofEmptyCells.map(([formula]) => formula)];
  const names = functionNames.filter((name) => name !== 'BLANK' && (findFunction(name)?.parameters.length ?? 0) > 0);
  expect(names.filter((name) => !withEmpty.some((formula) => formula.includes(`${name}(`)))).toEqual([]);
});

test.each([0, 2, 6])('ROUND to %i places is that of decimals, for numbers of every size, near a half and not', async (places) => {
  // The places come from a field, so that nothing is known of them beforehand and every number goes the exact way.
  const [quick, exact] = [`ROUND({number}, ${places})`, `ROUND({number}, {number2})`].map((formula) => statementOf(checkFormula(formula), {}).text.replace(/^select (.*) as cell from record r order by id$/s, '$1'));
  const { rows } = await client.query(`
    with r as (
      select x * sign as number, ${places}::double precision as number2
      from generate_series(1, 12) as size, generate_series(1, 150) as turn, unnest(array[1, -1]) as sign,
           unnest(array[random() * 10 ^ size, (floor(random() * 10 ^ size) + 0.5) / 10 ^ ${places}, (floor(random() * 10 ^ size) + 0.4999999) / 10 ^ ${places}, (floor(random() * 10 ^ size) + 0.52) / 10 ^ ${places}]) as x
    )
    select number, ${quick} as quick, ${exact} as exact from r where ${quick} is distinct from ${exact} limit 5`);
  expect(rows).toEqual([]);
});

test.each(ofEmptyCells)('of empty cells %s is %j', async (formula, value) => {
  expect((await evaluate(client, formula))[1]).toEqual(value);
});

describe('the help', () => {
  test('names every function, with the values it takes', () => {
    expect(functionHelp.map(({ name }) => name).sort()).toEqual([...functionNames].sort());
    for (const { name, values } of functionHelp) {
      const { parameters, repeats = 0 } = findFunction(name) ?? { parameters: [] };
      const written = values.filter((value) => value !== '…' && !(repeats > 0 && value === '[otherwise]'));
      expect(written.map((value) => value.startsWith('[')), `${name}(${values.join(', ')})`).toEqual(parameters.map(({ fallback }) => fallback !== undefined));
      expect(values.includes('…'), name).toBe(repeats > 0);
    }
  });

  test.each(functionHelp.map(({ example }) => example))('%s gives %j', async (formula, value) => {
    expect((await evaluate(client, formula))[0]).toEqual(value);
  });
});
