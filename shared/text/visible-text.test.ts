import { describe, expect, it } from 'vitest';
import { UpdateUserRequest } from '../accounts/user.ts';
import { CreateContactRequest } from '../album/contact.ts';
import { CreatePetRequest } from '../album/pet.ts';

const pet = (name: string) => CreatePetRequest.safeParse({ name, species: 'dog' }).success;
const contact = (name: string) => CreateContactRequest.safeParse({ name, email: 'oma@home.example' }).success;
const person = (firstName: string) => UpdateUserRequest.safeParse({ firstName }).success;

describe('the name of a pet, a contact or a person', () => {
  it.each(['Rex', '雪', 'ᠮᠣᠷᠢ', '7', '🐾', '👩\u200d🚀', '❤\ufe0f', '!?', '\u200fركس', 'นา', '\u00adR'])(
    'may be %j',
    (name) => {
      expect([pet(name), contact(name), person(name)]).toEqual([true, true, true]);
    },
  );

  it.each([
    ['zero-width spaces', '\u200b\u200b'],
    ['a joiner between spaces', ' \u200d '],
    ['direction marks', '\u200e\u202e\u2066'],
    ['a soft hyphen', '\u00ad'],
    ['the Hangul filler', '\u3164'],
    ['the halfwidth filler', '\uffa0'],
    ['the empty Braille cell', '\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['tags of a flag without its flag', '\u{e0067}\u{e007f}'],
    ['an accent without a letter', '\u0301'],
    ['a control character', '\u0007'],
  ])('may not be %s alone', (_, name) => {
    expect([pet(name), contact(name), person(name)]).toEqual([false, false, false]);
  });

  it('of a person may be empty, of others not', () => {
    expect([pet(' '), contact(' '), person(' ')]).toEqual([false, false, true]);
  });
});
