import { expect, test } from 'vitest';
import { clientOf, isLoopback } from './address.ts';

test('an IPv4 address is a client of its own, however it is written', () => {
  expect([clientOf('192.0.2.7'), clientOf('::ffff:192.0.2.7'), clientOf('::FFFF:192.0.2.7')]).toEqual([
    '192.0.2.7',
    '192.0.2.7',
    '192.0.2.7',
  ]);
});

test('the addresses of one IPv6 network are one client', () => {
  for (const address of [
    '2001:db8:0:1::1',
    '2001:DB8::1:0:0:0:2',
    '2001:0db8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1:2::',
  ])
    expect(clientOf(address), address).toBe('2001:db8:0:1');
  expect(clientOf('2001:db8:0:2::1')).toBe('2001:db8:0:2');
  expect(clientOf('fe80::1%eth0')).toBe('fe80:0:0:0');
  expect(clientOf('::1')).toBe('0:0:0:0');
});

test('this machine is known in all its forms', () => {
  expect(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([true, true, true, true]);
  expect(['10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', '127.example.com', ''].map(isLoopback)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
