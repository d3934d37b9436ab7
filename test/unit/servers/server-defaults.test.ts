import { describe, expect, it } from 'vitest';
import { defaultNameAndColour } from '../../../main/account/servers/server-defaults.ts';
import type { ServerColour } from '../../../preload/contract/settings.ts';

type Other = { name: string; colour: ServerColour };
const nameOf = (baseUrl: string, others: Other[] = [], production = false) =>
  defaultNameAndColour(baseUrl, others, production).name;

describe('the face of a server', () => {
  it.each([
    ['https://staging.shop.example.test', 'Shop · staging'],
    ['https://accounts.shop.example.test', 'Shop'],
    ['https://preview-2.shop.example.test', 'Shop · preview 2'],
    ['https://api.libreria.example', 'Libreria'],
    ['https://www.acme.co.uk/v1', 'Acme'],
    ['https://shop-staging.acme.com', 'Shop · staging'],
    ['https://api-test2.acme.com', 'Acme · test 2'],
    ['https://my-shop.dev', 'My-shop'],
    ['https://app.com', 'App'],
    ['https://staging.test', 'Staging'],
    ['https://xn--librera-0ya.example', 'Xn--librera-0ya'],
    ['http://buildbox:8080', 'Buildbox'],
    ['http://localhost:8000', 'Local 8000'],
    ['http://127.0.0.1:3000/api', 'Local 3000'],
    ['http://[::1]:3000', 'Local 3000'],
    ['http://localhost', 'Local'],
    ['http://192.168.1.20:8000', '192.168.1.20:8000'],
    ['http://[2001:db8::1]:8000', '[2001:db8::1]:8000'],
  ])('of %s has the name %s', (baseUrl, name) => {
    expect(nameOf(baseUrl)).toBe(name);
  });

  it('says what differs where a name is taken, and no stage where a label says production', () => {
    const shop: Other = { name: 'Shop', colour: 'gray' };
    expect(nameOf('https://shop.example.test', [shop])).toBe('Shop example');
    expect(nameOf('https://shop.test/eu', [shop])).toBe('Shop, shop.test/eu');
    expect(nameOf('http://127.0.0.1:80', [{ ...shop, name: 'Local' }])).toBe('Local, 127.0.0.1');
    expect(nameOf('https://test.shop.example', [], true)).toBe('Shop');
    expect(nameOf(`https://${'a'.repeat(60)}.${'b'.repeat(60)}.test/${'c'.repeat(99)}`).length).toBeLessThan(101);
  });

  it('has the same colour each time, one that no other server has, red for production and never gray', () => {
    const face = defaultNameAndColour('https://shop.example.test', [], false);
    expect(defaultNameAndColour('https://shop.example.test/api', [], false).colour).toBe(face.colour);
    expect(defaultNameAndColour('https://shop.example.test', [], true).colour).toBe('red');
    const others: Other[] = [];
    for (let at = 0; at < 7; at += 1) others.push(defaultNameAndColour('https://shop.example.test', others, false));
    const colours = others.map(({ colour }) => colour);
    expect(colours.toSorted()).toEqual(['amber', 'blue', 'green', 'orange', 'pink', 'purple', 'teal']);
    expect(colours[0]).toBe(face.colour);
    expect(defaultNameAndColour('https://shop.example.test', others, false).colour).toBe(face.colour);
  });
});
