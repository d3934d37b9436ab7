import { describe, expect, it } from 'vitest';
import { cleanEmail } from '../../../preload/contract/clean-email.ts';
import { createRandomPerson } from '../../../renderer/screens/account/register/random-person.ts';

describe('a random person', () => {
  const people = Array.from({ length: 200 }, () => createRandomPerson());

  it('has an email where nobody gets mail, and another one each time', () => {
    for (const { email } of people) {
      expect(email).toMatch(/^[a-z]+\.[a-z]+\.[a-z0-9]+@example\.com$/);
      expect(cleanEmail(email)).toBe(email);
    }
    expect(new Set(people.map(({ email }) => email)).size).toBe(200);
  });

  it('has a user name of letters and digits, and another one each time', () => {
    for (const { username } of people) expect(username).toMatch(/^[a-z][a-z0-9]{4,29}$/);
    expect(new Set(people.map(({ username }) => username)).size).toBe(200);
  });

  it('has a password with one of each kind of sign, typed twice, and without the name', () => {
    for (const { name, password, cpassword } of people) {
      expect(cpassword).toBe(password);
      expect(password).toHaveLength(20);
      for (const kind of [/[A-Z]/, /[a-z]/, /\d/, /[^\w]/]) expect(password).toMatch(kind);
      for (const word of name.split(' ')) expect(password.toLowerCase()).not.toContain(word.toLowerCase());
    }
    expect(new Set(people.map(({ password }) => password)).size).toBe(200);
  });
});
