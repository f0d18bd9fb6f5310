import { expect, test } from 'vitest';
import { networkOf, slowDown } from './limit-attempts.ts';

test('the first three tries are answered at once, later ones ever slower, none by more than a second', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(slowDown)).toEqual([0, 0, 0, 100, 200, 400, 800, 1_000, 1_000]);
});

test('IPv6 clients are counted by their /64 network, IPv4 ones by address however it is written', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:db8:1:2::99')).toBe('2001:db8:1:2::/64');
  expect(networkOf('2001:0DB8:0001:2::')).toBe('2001:db8:1:2::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});
